import { render } from 'preact';
import './style.css';
import { Link, Router } from './router';
import { Search } from './parts/search';
import { HomePage } from './pages/home';
import { AccountPage } from './pages/account';
import { TracePage, TransactionPage } from './pages/transaction';
import { BlockPage } from './pages/block';

/** A hash in a path is base64url; the service reads it. */
function page([noun, a, b, c]: string[]) {
  switch (noun) {
    case undefined: return <HomePage />;
    case 'account': if (a) return <AccountPage key={a} address={a} />; break;
    case 'tx': if (a) return <TransactionPage key={a} hash={a} />; break;
    case 'trace': if (a) return <TracePage key={a} hash={a} />; break;
    case 'block': if (a && b && c) return <BlockPage key={a + b + c} workchain={a} shard={b} seqno={c} />; break;
  }
  return <p>There is no such page. <Link to="/">Back to the start</Link></p>;
}

render(
  <Router>{(path) => (
    <>
      <header>
        <Link to="/" class="name">Explorer</Link>
        <Search />
        <nav aria-label="Other pages"><a href="/playground">Playground</a> <a href="/">Service</a></nav>
      </header>
      <main id="content" tabIndex={-1}>{page(path)}</main>
    </>
  )}</Router>,
  document.getElementById('app')!,
);
