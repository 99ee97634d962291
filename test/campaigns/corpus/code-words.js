// Where a name stands in code, by the simplest reading that is not lspan's: comments and strings are blanked out.

const patterns = {
  python:
    /#[^\n]*|[rRbBuUfF]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/g,
  go: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g,
  rust: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#+)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^\n]{1,10}?|[^'\\\n])'/g,
  c: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|^[ \t]*#[ \t]*include[^\n]*/gm,
};

/** The places of a name in the code of a text, counted from 0. */
export function placesInCode(text, name, language) {
  if (!text.includes(name)) return [];
  return placesInText(
    text.replace(patterns[language], (found) => found.replace(/[^\n]/g, ' ')),
    name,
  );
}

/** The places of a name in a text, comments and strings included. */
export function placesInText(code, name) {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  const places = [];
  code.split('\n').forEach((line, row) => {
    for (const { index } of line.matchAll(word))
      places.push({
        line: row,
        character: index,
        before: line.slice(0, index),
        after: line.slice(index + name.length),
      });
  });
  return places;
}
