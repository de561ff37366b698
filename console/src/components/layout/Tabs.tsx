// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';

type Tab = { readonly name: string; readonly path: string; readonly isCurrent: boolean };

/** Sections of a page, each with a URL. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ name, path, isCurrent }) => (
      <Link key={path} href={path} aria-current={isCurrent ? 'page' : undefined}>
        {name}
      </Link>
    ))}
  </nav>
);
