import { expect, it } from 'vitest';
import {
  declaredFixture,
  fixtureNameAt,
  fixtureRequestAt,
} from '../../../src/source-text/names/pytest-fixtures.ts';

it.each([
  ['@pytest.fixture\ndef HERE(): ...', 'HERE'],
  ['@fixture(scope="session")\nasync def HERE(): ...', 'HERE'],
  ['@pytest_asyncio.fixture(\n    scope="session",\n)\n@other\n# why\ndef HERE(): ...', 'HERE'],
  ['@pytest.fixture(scope="session", name="other")\ndef HERE(): ...', 'other'],
  ['class TestA:\n    @pytest.fixture\n    def HERE(self): ...', 'HERE'],
  ['HERE = pytest.fixture(make)', 'HERE'],
  ['def HERE(): ...', undefined],
  ['@app.route("/fixture")\ndef HERE(): ...', undefined],
  ['@pytest.fixture\ndef other():\n    return 1\n\ndef HERE(): ...', undefined],
  ['@pytest.fixture\ndef other(HERE): ...', undefined],
])('reads the name of a fixture: %s', (text, expected) => {
  expect(fixtureNameAt(text, text.indexOf('HERE'))).toBe(expected);
});

it.each([
  ['test_a.py', 'def test_a(HERE):', true],
  ['test_a.py', 'class TestA:\n    async def test_a(self, one: dict[str, int], HERE: Engine, two):', true],
  ['checks.py', 'def test_a(\n    one,  # first (of two)\n    HERE,\n):', true],
  ['conftest.py', '@pytest.fixture\ndef more(HERE):', true],
  ['steps.py', '@given("an engine")\ndef step(HERE):', true],
  ['test_a.py', 'def it_runs(HERE):', true],
  ['test_a.py', 'def helper(HERE): ...\n\ndef test_a(): helper(1)', false],
  ['engine.py', 'def run(HERE):', false],
  ['test_a.py', 'def test_a(one=HERE):', false],
  ['test_a.py', 'def test_a(HERE=1):', false],
  ['test_a.py', 'def test_a(one: HERE):', false],
  ['test_a.py', 'def test_a(): run(one, HERE)', false],
  ['test_a.py', '@pytest.mark.parametrize("one,HERE", [(1, 2)])\ndef test_a(one, HERE):', false],
  ['test_a.py', '@parametrize("HERE", [1], indirect=True)\ndef test_a(HERE):', true],
  ['test_a.py', '@pytest.mark.usefixtures("one", "HERE")', true],
  ['test_a.py', "request.getfixturevalue('HERE')", true],
  ['test_a.py', 'log("HERE")', false],
  ['test_a.ts', 'usefixtures("HERE")', false],
])('tells what asks for a fixture: %s: %s', (file, text, expected) => {
  const start = text.lastIndexOf('HERE');
  expect(fixtureRequestAt(file, text, { start, end: start + 4 }) !== undefined).toBe(expected);
});

it.each([
  ['@pytest.fixture\ndef engine(): ...', 'at_top'],
  ['@pytest.fixture(name="engine")\ndef make(): ...', 'at_top'],
  ['class TestA:\n    @pytest.fixture\n    def engine(self): ...', 'in_class'],
  ['def test_a(engine): ...', undefined],
])('tells where a fixture is declared: %s', (text, expected) => {
  expect(declaredFixture(text, 'engine')).toBe(expected);
});
