import { limits } from '../../../core/limits.ts';
import { interruption } from '../interruption.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';

type DoctorCommand = Extract<CommandLine, { readonly kind: 'doctor' }>;

/** Runs `lspan doctor`: examines the workspace, its servers and the machine; returns the exit code. */
export async function runDoctor(
  { flags }: DoctorCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
  probeTime: number = limits.doctor.probe,
): Promise<number> {
  const { environment, home } = context;
  // The report says what a warning would, and what became of it.
  const { logLevel = 'error' } = flags;
  const settings = await readSettings(
    { ...flags, logLevel },
    { surface: 'lspan', survivesFaults: false },
    context,
  );
  const { ownProcess } = await import('../../setup/launch.ts');
  const { examine } = await import('../../doctor/examine.ts');
  const { paintFor, progressLine } = await import('../../observe/terminal.ts');
  const { renderReport } = await import('../../doctor/render-report.ts');
  const { openBridge } = await import('../../../bridge.ts');
  const interrupted = interruption(process);
  const progress = progressLine(process.stderr, environment);
  const report = await examine({
    settings: { ...settings.bridge, roots: settings.roots, environment },
    environment,
    script: process.argv[1] ?? '',
    machine: { platform: process.platform, environment, home },
    own: ownProcess(environment),
    isDaemonWanted: settings.daemon,
    fix: flags.fix,
    signal: interrupted.signal,
    progress: progress.show,
    open: openBridge,
    probeTime,
  }).finally(() => {
    progress.clear();
    interrupted[Symbol.dispose]();
    settings.close();
  });
  const ended = interrupted.exitCode();
  if (ended !== undefined) return ended;
  const paint = paintFor(process.stdout, environment);
  await write(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : renderReport(report, paint));
  return report.ok ? 0 : 1;
}
