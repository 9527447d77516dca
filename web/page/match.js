// Matches a document and a sheet in the worker, and shows beside it what the browser's querySelectorAll says.

const byId = (id) => document.getElementById(id);
const TYPING_MS = 250, MOST_NAMED = 8;

const sampleDocument = `<main>
  <nav><a href="#one" class="here">One</a> <a href="#two">Two</a></nav>
  <article id="one"><h2>One</h2><p>First <em>words</em></p><p lang="nl">Tweede</p></article>
  <article id="two"><h2>Two</h2><ul><li>a</li><li>b</li><li>c</li></ul></article>
</main>`;
const sampleSheet = `nav > a:not(.here) { color: teal }
article:has(> ul) h2 { margin: 0 }
li:nth-child(odd of :not(:first-child)) { font-weight: bold }
p:lang(nl), p em { font-style: italic }
main .nowhere { display: none }`;

const row = (...cells) => {
  const line = document.createElement('tr');
  for (const text of cells) line.append(Object.assign(document.createElement('td'), { textContent: text }));
  return line;
};

export function startMatch(worker) {
  const source = byId('match-document'), sheet = byId('match-sheet'), status = byId('match-status');
  source.value = sampleDocument;
  sheet.value = sampleSheet;
  let typing = 0, running = null;

  async function match() {
    running?.abort();
    const control = running = new AbortController();
    try {
      // The browser reads the document, without scripts or loading, and hands it over as XML, so that both match the
      // same tree.
      const tree = new DOMParser().parseFromString(source.value, 'text/html');
      const xml = new XMLSerializer().serializeToString(tree.documentElement);
      const { selectors, elements, matchMs, warnings } =
        await worker.match(xml, { sheets: [{ name: 'sheet', text: sheet.value }], signal: control.signal });
      const all = [...tree.querySelectorAll('*')], index = new Map(all.map((element, i) => [element, i]));
      const used = selectors.filter((selector) => selector.matches.length).length;
      status.className = '';
      status.textContent = `${elements.length} elements, ${selectors.length} selectors, ${used} used, ` +
        `matched in ${matchMs.toFixed(2)} ms` +
        (warnings.length ? `; ${warnings[0]}` : '');
      byId('matches').replaceChildren(...selectors.map(({ line, text, specificity, matches }) => {
        const names = matches.slice(0, MOST_NAMED).map((e) => `${elements[e].name} (${e})`).join(', ') +
          (matches.length > MOST_NAMED ? ', …' : '');
        return row(line, text, specificity.join(', '), matches.length ? `${matches.length}: ${names}` : 'none',
          agrees(tree, index, text, matches));
      }));
    } catch (error) {
      if (control.signal.aborted) return;
      status.className = 'failed';
      status.textContent = error.message;
      byId('matches').replaceChildren();
    }
  }

  function agrees(tree, index, selector, matches) {
    try {
      const theirs = [...tree.querySelectorAll(selector)].map((element) => index.get(element));
      return theirs.length === matches.length && theirs.every((e, i) => e === matches[i]) ? 'agrees' :
        `matches ${theirs.length}`;
    } catch {
      return 'does not know it';
    }
  }

  for (const field of [source, sheet]) field.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(match, TYPING_MS);
  });
  match();
}
