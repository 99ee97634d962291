// Draws the text of a terminal as an SVG: no script, no font of its own, nothing to load, and the colours of the reader.

const [charWidth, lineHeight, fontSize, margin, top] = [8.4, 19, 14, 16, 44];
/** About the width of a README on GitHub. */
const [fewestColumns, mostColumns] = [60, 100];

/** What a colour is used for, by the reader's preference. GitHub and browsers tell an image which one it is. */
const colours = {
  light: { ground: '#ffffff', frame: '#d0d7de', plain: '#1f2328', faint: '#656d76', prompt: '#0969da' },
  dark: { ground: '#0d1117', frame: '#30363d', plain: '#e6edf3', faint: '#8d96a0', prompt: '#58a6ff' },
};
const signals = {
  light: { good: '#1a7f37', bad: '#cf222e', warn: '#9a6700' },
  dark: { good: '#3fb950', bad: '#f85149', warn: '#d29922' },
};

/** How a line of lspan is coloured: the first rule that fits, each group of it by the word at its place. */
const rules = [
  [/^(\$ )(.*)$/, ['prompt', 'bold']],
  [/^(# .*)$/, ['faint']],
  [/^(\+.*)$/, ['good']],
  [/^(-.*)$/, ['bad']],
  [/^(@@.*)$/, ['prompt']],
  [/^( *)(ok)( +)(\S+)(.*)$/, ['plain', 'good', 'plain', 'bold', 'plain']],
  [/^( {8}.*)$/, ['faint']],
  [/^( +\| .*)$/, ['faint']],
  [/^( +\d+:\d+ )(error:)(.*)$/, ['faint', 'bad', 'plain']],
  [/^( +\d+:\d+ )(.*?)( \(in [^)]*\))?$/, ['faint', 'plain', 'faint']],
  [/^(May be incomplete.*|Next: .*)$/, ['warn']],
  [/^(Done: |Everything works)(.*)$/, ['good', 'plain']],
  [/^(\d+ errors? .*|[a-z_]+: .*)$/, ['bold']],
  [/^(\S+\.ts)$/, ['bold']],
];

/** Returns a picture of some lines under a title; `alt` tells what is in it to those who do not see it. */
export function renderTerminal({ title, alt, lines: unwrapped }) {
  const lines = unwrapped.flatMap(wrap);
  const columns = Math.max(...lines.map(({ line }) => line.length), fewestColumns);
  const width = Math.ceil(columns * charWidth + 2 * margin);
  const height = top + lines.length * lineHeight + margin;
  const texts = lines.flatMap((one, index) => (one.line === '' ? [] : [renderLine(one, index)]));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(alt)}">
<style>
${style(colours.light, signals.light)}
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--plain);white-space:pre}
.bold{font-weight:600}${[...Object.keys(colours.light).slice(3), ...Object.keys(signals.light)].map((name) => `.${name}{fill:var(--${name})}`).join('')}
@media(prefers-color-scheme:dark){${style(colours.dark, signals.dark)}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" style="fill:var(--ground);stroke:var(--frame)"/>
<g style="fill:var(--frame)"><circle cx="20" cy="18" r="5"/><circle cx="37" cy="18" r="5"/><circle cx="54" cy="18" r="5"/></g>
<text class="faint" x="${width / 2}" y="22" text-anchor="middle">${escaped(title)}</text>
${texts.join('\n')}
</svg>
`;
}

/** Breaks a long line between words; what follows is indented, and has the colour of the line's end. */
function wrap(line) {
  const [first, ...more] = pieces(line);
  const { name } = spansOf(line).at(-1) ?? { name: 'plain' };
  return [{ line: first }, ...more.map((piece) => ({ line: piece, name }))];
}

function pieces(line) {
  if (line.length <= mostColumns) return [line];
  const end = line.lastIndexOf(' ', mostColumns);
  return [line.slice(0, end), ...pieces(`    ${line.slice(end + 1)}`)];
}

function style(...groups) {
  const pairs = groups.flatMap((group) => Object.entries(group));
  return `svg{${pairs.map(([name, value]) => `--${name}:${value}`).join(';')}}`;
}

/** A line is as long as its columns, whatever the width of the reader's font. */
function renderLine({ line, name }, index) {
  const indent = line.length - line.trimStart().length;
  const at = `x="${round(margin + indent * charWidth)}" y="${top + (index + 0.72) * lineHeight}"`;
  const length = `textLength="${round((line.length - indent) * charWidth)}"`;
  const spans = name === undefined ? spansOf(line) : [{ text: line.trimStart(), name }];
  return `<text ${at} ${length}>${spans.map(renderSpan).join('')}</text>`;
}

function renderSpan({ text, name }) {
  return name === 'plain' ? escaped(text) : `<tspan class="${name}">${escaped(text)}</tspan>`;
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/** The coloured parts of a line, without its indentation. */
function spansOf(line) {
  const [rule, names] = rules.find(([pattern]) => pattern.test(line)) ?? [/^(.*)$/, ['plain']];
  const parts = rule
    .exec(line)
    .slice(1)
    .map((text = '', index) => ({ text, name: names[index] }));
  const first = parts.findIndex(({ text }) => text.trim() !== '');
  return parts
    .slice(first)
    .map(({ text, name }, index) => ({ text: index === 0 ? text.trimStart() : text, name }))
    .filter(({ text }) => text !== '');
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
