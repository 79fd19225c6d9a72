// Starts GraphiQL for the /graphql of this server, with example queries. All files are served by this server.
(async () => {
  const url = new URL('graphql', document.baseURI).href;
  const post = GraphiQL.createFetcher({ url });

  // The events of a subscription are server-sent events, one result each. Ending the iterator closes the connection.
  const follow = (params, options) => {
    const stopped = new AbortController();
    const events = read(params, options, stopped.signal);
    const end = events.return.bind(events);
    events.return = (value) => {
      stopped.abort();
      return end(value);
    };
    return events;
  };
  async function* read(params, options, signal) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...options?.headers, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(params),
        signal,
      });
      if (!response.ok) throw new Error(await response.text());
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = '', part; !(part = await reader.read()).done;) {
        text += part.value;
        for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
          const lines = text.slice(0, end).split('\n');
          if (lines.includes('event: complete')) return;
          const data = lines.find((line) => line.startsWith('data: '));
          if (data) yield JSON.parse(data.slice(6));
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  const subscribes = (params, options) => {
    const operations = (options?.documentAST?.definitions ?? []).filter((d) => d.kind === 'OperationDefinition');
    const named = operations.find((o) => o.name?.value === params.operationName) ?? operations[0];
    return named ? named.operation === 'subscription' : /^\s*(#.*\s*)*subscription\b/.test(params.query);
  };
  const fetcher = (params, options) => (subscribes(params, options) ? follow(params, options) : post(params, options));

  const asset = (name) => fetch(new URL(`playground/${name}`, document.baseURI)).then((r) => r.json());
  const [shelf, fields] = await Promise.all([asset('examples.json'), asset('fields.json')]);
  // A link with ?query= and &variables= opens that document; the parameters follow what the visitor writes, so that the address is a
  // link to share. Values of more than maxShared characters are not put into the address.
  const maxShared = 100000;
  const linked = new URLSearchParams(location.search);
  const state = { query: linked.get('query') ?? undefined, variables: linked.get('variables') ?? undefined };
  const share = (name) => (text) => {
    state[name] = text;
    const params = new URLSearchParams();
    for (const key of ['query', 'variables']) {
      if (state[key]?.trim() && state[key].length <= maxShared) params.set(key, state[key]);
    }
    history.replaceState(null, '', params.size > 0 ? `?${params}` : location.pathname);
  };
  const root = ReactDOM.createRoot(document.getElementById('graphiql'));
  // Operations that were sent are in the history, the header of a request, such as an API key, below the query. Neither is in the
  // address, and headers are forgotten with the page.
  const show = (query, variables, key) => root.render(React.createElement(GraphiQL, {
    key, fetcher, query, variables, defaultQuery: shelf[0].query, shouldPersistHeaders: false, isHeadersEditorEnabled: true, maxHistoryLength: 50,
    onEditQuery: share('query'), onEditVariables: share('variables'),
  }));
  show(state.query, state.variables, 'first');
  const open = (query, variables) => {
    share('variables')(variables);
    share('query')(query);
    show(query, variables, `${query.length} ${Date.now()}`);
  };

  // Values in variables of the form {name} are samples of this service: the newest objects, read once.
  let sampled;
  const samples = () => (sampled ??= fetch(url, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query: fields.sampleQuery }),
  }).then((r) => r.json()).then(({ data }) => data ?? {}, () => ({})));
  const filled = (value, data) => {
    if (Array.isArray(value)) return value.map((v) => filled(v, data));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, filled(v, data)]));
    const path = typeof value === 'string' && /^\{\w+\}$/.test(value) ? fields.samples[value.slice(1, -1)] : undefined;
    return path ? path.split('.').reduce((v, part) => v?.[part], data) ?? '' : value;
  };

  const list = document.getElementById('examples');
  const group = (label, examples) => {
    const options = document.createElement('optgroup');
    options.label = label;
    for (const e of examples) options.append(new Option(e.name, e.name));
    list.append(options);
  };
  group('Queries and subscriptions', shelf);
  for (const kind of ['Query', 'Subscription', 'Mutation']) group(`Each field of ${kind}`, fields.examples.filter((e) => e.name.startsWith(`${kind}.`)));
  list.addEventListener('change', async () => {
    const example = [...shelf, ...fields.examples].find((e) => e.name === list.value);
    list.value = '';
    if (!example) return;
    open(example.query, example.variables ? JSON.stringify(filled(example.variables, await samples()), null, 2) : '');
  });
})();
