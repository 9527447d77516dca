// How the lab tells what it has found: numbers for people, and plots as SVG of plain shapes and text, which any
// renderer draws.

const scaled = (number, base, prefixes, unit) => {
  let i = 0, n = number;
  for (; Math.abs(n) >= base && i + 1 < prefixes.length; i++) n /= base;
  const digits = Math.abs(n) >= 100 || (n === Math.floor(n) && !i) ? 0 : Math.abs(n) >= 10 ? 1 : 2;
  return `${n.toFixed(digits)} ${prefixes[i]}${unit}`;
};
const decimal = ['', 'k', 'M', 'G', 'T'];
const formats = {
  name: String,
  count: (n) => (n === Math.floor(n) ? n.toFixed(0) : n.toFixed(1)),
  bytes: (n) => scaled(n, 1024, ['', 'Ki', 'Mi', 'Gi'], 'B'),
  us: (n) => scaled(n, 1000, ['u', 'm', ''], 's'),
  rate: (n) => scaled(n, 1000, decimal, 'B/s'),
  work: (n) => scaled(n, 1000, decimal, 'op/s'),
  share: (n) => `${(n * 100).toFixed(1)} %`,
  factor: (n) => `${n.toFixed(2)}x`,
};

/**
 * Formats a value of a column for people: `unit` is name, count, bytes, us (microseconds), rate, work, share or factor.
 */
export const format = (unit, value) => (unit !== 'name' && !Number.isFinite(value) ? '-' : formats[unit](value));

const colours = ['#2166ac', '#d6604d', '#4d9221', '#8e44ad', '#b8860b', '#117a8b'];
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const textAt = (x, y, anchor, colour, text) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${escape(text)}</text>`;
const NAME = 300, VALUE = 110, ROW = 26, BAR = 18, TOP = 30;

const frame = (width, height, paper, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
  'font-family="sans-serif" font-size="13">' +
  `${paper ? `<rect width="${width}" height="${height}" fill="#ffffff"/>` : ''}${content}</svg>`;

/**
 * Draws a plot as SVG: horizontal bars from 0, { name, value } each, and a vertical line at each mark. Words need fonts
 * to be drawn with; without `words` the picture is only the bars, from edge to edge, `rowHeight` for each, without a
 * background.
 */
export function bars({ unit, rows, marks = [] }, { words = true, width = words ? 880 : 470 } = {}) {
  const left = words ? NAME : 0, top = words ? TOP : 4, right = words ? VALUE : 2;
  const most = Math.max(0, ...[...rows, ...marks].map(({ value }) => value).filter(Number.isFinite)),
        scale = most > 0 ? (width - left - right) / most : 0;
  const bar = ({ name, value }, i) => {
    const y = top + i * ROW, long = Number.isFinite(value) ? value * scale : 0;
    return `<rect x="${left}" y="${y}" width="${long.toFixed(1)}" height="${BAR}" fill="${colours[0]}"/>` +
      (words ? textAt(left - 8, y + 14, 'end', '#222222', name) +
        textAt(left + long + 6, y + 14, 'start', '#222222', format(unit, value)) : '');
  };
  const mark = ({ name, value }, i) => {
    const x = left + value * scale, colour = colours[1 + i % (colours.length - 1)];
    return `<path d="M${x.toFixed(1)} ${top - 4}V${top + rows.length * ROW}" fill="none" stroke="${colour}" ` +
      'stroke-width="1" stroke-dasharray="5 3"/>' +
      (words ? textAt(x, top - 12, 'middle', colour, name) : '');
  };
  return frame(width, words ? top + rows.length * ROW + 10 : rows.length * ROW, words,
    rows.map(bar).join('') + marks.filter(({ value }) => Number.isFinite(value)).map(mark).join(''));
}

export const rowHeight = ROW;
