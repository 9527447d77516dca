// The lab. It measures in the page itself, since the worker is for files; the worker draws its plots by stijl.
import { bars, format, instrumentNames, rowHeight, runLab } from './stijl/lab.js';

const byId = (id) => document.getElementById(id);
const names = { ceilings: 'what the device does at most', contraction: 'contraction', access: 'loads',
  transpose: 'transposes', matmul: 'products of matrices', workgroup: 'workgroups' };
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

export function startLab(worker) {
  const run = byId('lab-run'), stop = byId('lab-stop'), save = byId('lab-save'), status = byId('lab-status'),
        progress = byId('lab-progress');
  let control = null, result = null;

  const say = (text, failed = false) => {
    status.textContent = text;
    status.className = failed ? 'failed' : '';
  };

  // Shows a plot. The page shows names and values. The bars between them are drawn by stijl, without text, so that it
  // needs no fonts.
  async function showPlot({ title, unit, rows, marks = [] }) {
    const canvas = make('canvas'), plot = make('div', { className: 'plot' });
    plot.setAttribute('role', 'img');
    plot.setAttribute('aria-label', `${title}: the table has the figures`);
    rows.forEach(({ name, value }, i) => {
      const cells = [make('span', { className: 'name', textContent: name, title: name }),
        make('span', { textContent: format(unit, value) })];
      cells.forEach((cell, k) => { cell.style.gridRow = i + 1; cell.style.gridColumn = k ? 3 : 1; });
      plot.append(...cells);
    });
    canvas.style.gridRow = `1 / span ${rows.length}`;
    plot.append(canvas);
    const wide = 576, high = rows.length * rowHeight, scale = devicePixelRatio || 1;
    const { data, width, height } = await worker.render(bars({ unit, rows, marks }, { words: false, width: wide }),
      { width: Math.round(wide * scale), height: Math.round(high * scale) });
    Object.assign(canvas, { width, height });
    canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
    const legend = marks.map(({ name, value }) => `dashed: ${name}, ${format(unit, value)}`).join('; ');
    return make('div', {}, make('h2', { textContent: title }), plot,
      make('p', { className: 'hint', textContent: legend }));
  }

  function showTable({ title, columns, rows }) {
    const all = columns.map(([key, title, unit], i) => ({ i, key, title, unit }))
      .filter(({ key, title }) => key !== 'key' || title);
    const cell = (tag, unit, textContent, scope) =>
      make(tag, { textContent, className: unit === 'name' ? '' : 'number', ...(scope && { scope }) });
    const table = make('table', {}, make('caption', { textContent: title }), make('thead', {},
      make('tr', {}, ...all.map(({ title, unit }) => (title ? cell('th', unit, title, 'col') : make('td'))))),
      make('tbody', {}, ...rows.map((row) => make('tr', {}, ...all.map(({ i, unit }, k) =>
        (k ? cell('td', unit, format(unit, row[i])) : cell('th', unit, format(unit, row[i]), 'row')))))));
    const box = make('div', { className: 'scroll', tabIndex: 0 }, table);
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', title);
    return box;
  }

  async function show({ verdict, likes, wrongs, tables, plots }) {
    byId('lab-verdict')
      .replaceChildren(...wrongs.map((text) => make('li', { className: 'wrong', textContent: `Wrong: ${text}` })),
      ...likes.map((text) => make('li', { textContent: `It pays here: ${text}` })),
      ...verdict.map((text) => make('li', { textContent: text })));
    const parts = [];
    for (const table of tables) {
      const plot = plots.find(({ key }) => key === table.key);
      if (plot) parts.push(await showPlot(plot));
      parts.push(showTable(table));
    }
    byId('lab-results').replaceChildren(...parts);
  }

  async function measure() {
    control = new AbortController();
    run.disabled = true;
    stop.disabled = false;
    progress.value = 0;
    document.documentElement.dataset.lab = 'measuring';
    try {
      const only = instrumentNames;
      result = await runLab({ only, size: byId('lab-size').value, signal: control.signal, selfTest: () => worker.gpu(),
        powerPreference: 'high-performance',
        progress(name, i, count) {
          progress.value = i / count;
          say(`Measuring ${names[name] ?? name}…`);
        } });
      await show(result);
      progress.value = 1;
      save.disabled = false;
      const { device, wrongs } = result;
      say(`${device.name}: ${wrongs.length ? `${wrongs.length} checks failed` : 'every result is right'}`,
        wrongs.length > 0);
      document.documentElement.dataset.lab = 'ready';
    } catch (error) {
      say(control.signal.aborted ? 'Stopped.' : error.message, !control.signal.aborted);
      document.documentElement.dataset.lab = 'failed';
    }
    run.disabled = false;
    stop.disabled = true;
    run.focus();
  }

  run.addEventListener('click', measure);
  stop.addEventListener('click', () => control?.abort());
  save.addEventListener('click', () => {
    const link = make('a', { download: 'stijl-lab.json',
      href: URL.createObjectURL(new Blob([JSON.stringify(result.json, null, 1)], { type: 'application/json' })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
