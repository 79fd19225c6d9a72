// Starts GraphiQL against this server's own /graphql. Nothing is fetched from elsewhere.
(() => {
  const example = `# The newest transactions with their messages and accounts.
query Newest($first: Int = 5) {
  indexStatus {
    last { seqno genUtime }
    lagSeconds
  }
  transactions(first: $first) {
    nodes {
      hash
      lt
      now
      verification
      account { address state { balance status } }
      inMessage { opcode value source { address } }
      outMessages { opcode value destination { address } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`;
  const fetcher = GraphiQL.createFetcher({ url: new URL('graphql', document.baseURI).href });
  const root = ReactDOM.createRoot(document.getElementById('graphiql'));
  root.render(React.createElement(GraphiQL, { fetcher, defaultQuery: example, shouldPersistHeaders: false }));
})();
