// The page: tabs, what is dropped, the worker's life. The tabs are in draw.js, match.js and lab.js.
import { canShare, openWorker } from './stijl/worker.js';
import { startDraw } from './draw.js';
import { startLab } from './lab.js';
import { startMatch } from './match.js';

const byId = (id) => document.getElementById(id);

// What a file may take. The worker that exceeds it is ended; the page goes on.
const MAX_SECONDS = 5, MAX_MEMORY = 512 * 2 ** 20, MAX_THREADS = 4;

function startTabs() {
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const select = (tab, focus) => {
    for (const other of tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      byId(other.getAttribute('aria-controls')).hidden = other !== tab;
    }
    if (focus) tab.focus();
    window.dispatchEvent(new Event('resize'));
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) select(tabs[(i + step + tabs.length) % tabs.length], true);
    });
  }
}

function startDrop(open) {
  const shade = byId('drop');
  addEventListener('dragover', (event) => {
    event.preventDefault();
    shade.hidden = false;
  });
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) shade.hidden = true; });
  addEventListener('drop', (event) => {
    event.preventDefault();
    shade.hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) open(file);
  });
}

startTabs();
if ('serviceWorker' in navigator) navigator.serviceWorker.register('./offline.js').catch(() => {});  // then it needs the network

try {
  const threads = canShare() ? Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS) : 1;
  const worker = await openWorker({ threads, maxSeconds: MAX_SECONDS, maxMemory: MAX_MEMORY });
  const { isa, threads: running, version } = await worker.ready;
  byId('isa').textContent = `stijl ${version}, ${isa}, ${running} thread${running > 1 ? 's' : ''}`;
  const draw = startDraw(worker);
  startDrop(draw.openFile);
  startMatch(worker);
  startLab(worker);
  const sample = await fetch('./sample.svg');
  await draw.open(await sample.text());
} catch (error) {
  byId('status').textContent = error.message;
  byId('status').className = 'failed';
}
