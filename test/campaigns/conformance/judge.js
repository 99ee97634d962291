import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Every check of every scenario; the suite writes a folder for each, named after it and the time. */
export function readChecks(results) {
  return readdirSync(results).flatMap((name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(readFileSync(path.join(results, name, 'checks.json'), 'utf8'));
    return checks.map((check) => ({ ...check, scenario }));
  });
}

/** What of the checks is wrong and what is expected to be wanting, with lines that say so. */
export function judge(name, checks, expected) {
  const wanting = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const excuse = (check) => expected.find((one) => excuses(one, check));
  const wrong = wanting.filter((check) => !excuse(check));
  const excused = wanting.filter(excuse);
  const count = (status) => checks.filter((check) => check.status === status).length;
  const all = scenariosOf(checks).size;
  const lines = [
    `${name}: ${all - scenariosOf(wanting).size} of ${all} scenarios without a fault, ` +
      `${scenariosOf(excused).size} wanting as expected, ${scenariosOf(wrong).size} wrong; ` +
      `${count('SUCCESS')} checks passed, ${count('SKIPPED')} did not apply`,
    ...expected.flatMap((one) => {
      const names = [...scenariosOf(excused.filter((check) => excuse(check) === one))];
      return names.length > 0 ? [`  expected: ${names.join(', ')}: ${one.why}`] : [];
    }),
    ...wrong.map(
      ({ scenario, id, status, errorMessage }) => `  ${status}: ${scenario}: ${id}: ${errorMessage}`,
    ),
  ];
  return { lines, isRight: wrong.length === 0 && checks.length > 0, applied: excused.map(excuse) };
}

function excuses({ scenario, check = /^/ }, found) {
  return scenario.test(found.scenario) && check.test(found.id);
}

function scenariosOf(checks) {
  return new Set(checks.map(({ scenario }) => scenario));
}
