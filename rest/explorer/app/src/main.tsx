import { render } from 'preact';
import './style/tokens.css';
import './style/frame.css';
import './style/parts.css';
import './style/pages.css';
import { Link, Router } from './router';
import { Callout } from './load';
import { Pause } from './pause';
import { Search } from './parts/search';
import { HomePage } from './pages/home';
import { AccountPage } from './pages/account';
import { TransactionPage } from './pages/transaction';
import { TracePage } from './pages/trace';
import { BlockPage } from './pages/block';
import { CollectionsPage, JettonsPage, RichestPage } from './pages/browse';

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
  return <Callout title="Page not found"><Link to="/">Back to the start</Link></Callout>;
}

const places: [path: string, name: string][] = [['jettons', 'Jettons'], ['collections', 'NFTs'], ['accounts', 'Top accounts']];

render(
  <Router>{(path) => (
    <>
      <a href="#content" class="skip">Skip to the content</a>
      <header>
        <div class="bar">
          <Link to="/" class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 21 8v8l-9 6-9-6V8z" /><path class="inner" d="m12 7 5 3.3v3.4L12 17l-5-3.3v-3.4z" /></svg>Explorer</Link>
          <Search />
          <nav aria-label="Pages">
            {places.map(([to, name]) => <Link key={to} to={`/${to}`} aria-current={path[0] === to ? 'page' : undefined}>{name}</Link>)}
            <a href="/playground">Playground</a>
            <a href="/">Service</a>
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1}><Pause />{page(path)}</main>
    </>
  )}</Router>,
  document.getElementById('app')!,
);
