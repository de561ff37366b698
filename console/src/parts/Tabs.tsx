import { Link } from 'wouter-preact';

type Tab = { readonly name: string; readonly path: string; readonly isHere: boolean };

/** Parts of a page with addresses of their own, so that a reload and a link lead to the same. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, path, isHere }) => (
      <Link key={path} href={path} aria-current={isHere ? 'page' : undefined}>
        {name}
      </Link>
    ))}
  </nav>
);
