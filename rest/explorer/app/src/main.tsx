import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/frame.css';
import './style/parts.css';
import './style/pages.css';
import { Link, Router } from './router';
import { Callout } from './load';
import { Pause } from './pause';
import { Search } from './parts/search';
import { Sources } from './parts/sources';
import { Times } from './parts/times';
import { network } from './address';
import { HomePage } from './pages/home';
import { AccountPage } from './pages/account';
import { TransactionPage } from './pages/transaction';
import { TracePage } from './pages/trace';
import { BlockPage } from './pages/block';
import { CollectionsPage, JettonsPage, RichestPage } from './pages/browse';
import { T, entry } from './text';

/** Maps a path to its page. Hashes in paths are base64url, which the service accepts. */
function page([section, a, b, c]: string[]) {
  switch (section) {
    case undefined: return <HomePage />;
    case 'account': if (a) return <AccountPage key={a} address={a} tab={b} />; break;
    case 'tx': if (a) return <TransactionPage key={a} hash={a} />; break;
    case 'trace': if (a) return <TracePage key={a} hash={a} />; break;
    case 'block': if (a && b && c) return <BlockPage key={a + b + c} workchain={a} shard={b} seqno={c} />; break;
    case 'jettons': return <JettonsPage />;
    case 'collections': return <CollectionsPage />;
    case 'accounts': return <RichestPage />;
  }
  return <Callout title={T.frame.notFound}><Link to="/">{T.frame.start}</Link></Callout>;
}

const places: [path: string, name: string][] = [['jettons', T.frame.jettons], ['collections', T.frame.nfts], ['accounts', T.frame.accounts]];

render(
  <Router>{(path) => (
    <>
      <a href="#content" class="skip">{T.frame.skip}</a>
      <header>
        <div class="bar">
          <Link to="/" class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 21 8v8l-9 6-9-6V8z" /><path class="inner" d="m12 7 5 3.3v3.4L12 17l-5-3.3v-3.4z" /></svg>{T.frame.brand}</Link>
          <span class={network === 'mainnet' ? 'badge' : 'badge test'}>{entry<string>(T.network, network) ?? network}</span>
          <Search />
          <nav aria-label={T.frame.pages}>
            {places.map(([to, name]) => <Link key={to} to={`/${to}`} aria-current={path[0] === to ? 'page' : undefined}>{name}</Link>)}
            <a href="/playground">{T.frame.playground}</a>
            <a href="/docs/explorer">{T.frame.help}</a>
            <a href="/">{T.frame.service}</a>
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}><Pause />{page(path)}</main>
      <footer><Sources /><Times /></footer>
    </>
  )}</Router>,
  document.getElementById('app')!,
);
