// The page: its tabs, dropped files, and the worker's life. The tabs are in draw.js, match.js and lab.js.
import { canShare, openWorker } from './stijl/worker.js';
import { startDraw } from './draw.js';
import { startLab } from './lab.js';
import { startMatch } from './match.js';

const byId = (id) => document.getElementById(id);

// What a file may take. A worker that exceeds it is ended, and the page goes on.
const MAX_SECONDS = 5, MAX_MEMORY = 512 * 2 ** 20, MAX_THREADS = 4;

// Tabs have addresses: #lab, #match.
function startTabs() {
  const tabs = [...document.querySelectorAll('[role=tab]')], nameOf = (tab) => tab.id.slice(4);
  const select = (tab, focus) => {
    for (const other of tabs) {
      other.setAttribute('aria-selected', String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      byId(other.getAttribute('aria-controls')).hidden = other !== tab;
    }
    if (focus) tab.focus();
    if (location.hash.slice(1) !== nameOf(tab))
      history.replaceState(null, '', tab === tabs[0] ? location.pathname + location.search : `#${nameOf(tab)}`);
  };
  const follow = () => {
    const tab = tabs.find((one) => nameOf(one) === location.hash.slice(1));
    if (tab) select(tab);
  };
  addEventListener('hashchange', follow);
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      select(tabs[to % tabs.length], true);
    });
  }
  follow();
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
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    byId('tab-draw').click();
    open(files);
  });
}

startTabs();
// Without this the page needs the network.
if ('serviceWorker' in navigator) navigator.serviceWorker.register('./offline.js').catch(() => {});

try {
  const threads = canShare() ? Math.min(navigator.hardwareConcurrency || 1, MAX_THREADS) : 1;
  const worker = await openWorker({ threads, maxSeconds: MAX_SECONDS, maxMemory: MAX_MEMORY });
  const { isa, threads: running, version } = await worker.ready;
  byId('isa').textContent = `stijl ${version}, ${isa}, ${running} thread${running > 1 ? 's' : ''}`;
  const draw = startDraw(worker);
  startDrop(draw.openFiles);
  startMatch(worker);
  startLab(worker);
  const sample = await fetch('./sample.svg');
  await draw.open(await sample.text());
} catch (error) {
  byId('status').textContent = error.message;
  byId('status').className = 'failed';
}
