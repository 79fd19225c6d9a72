// Gives the editors of GraphiQL, which have none, names for screen readers, and lets the keyboard scroll them.
const place = document.getElementById('graphiql');
const kinds = { 'graphiql-query-editor': 'Query', 'graphiql-editor-tool': 'Variables or headers', 'result-window': 'Result' };
const complete = () => {
  place.querySelectorAll('.CodeMirror textarea:not([aria-label])').forEach((area) => {
    const kind = Object.keys(kinds).find((name) => area.closest(`.${name}`));
    area.setAttribute('aria-label', kinds[kind] ?? 'Editor');
  });
  place.querySelectorAll('.CodeMirror-scroll:not([tabindex="0"])').forEach((scroll) => { scroll.tabIndex = 0; });
};
new MutationObserver(complete).observe(place, { childList: true, subtree: true });
