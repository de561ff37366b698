// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';

type PageHeaderProps = {
  readonly title: string;
  readonly badge?: ComponentChildren;
  readonly parent?: { readonly name: string; readonly path: string };
  readonly children?: ComponentChildren;
};

/** The title of a page, a link to its parent, and the actions for the whole page. */
export function PageHeader({ title, badge, parent, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Midroll`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        {parent ? (
          <Link class="parent" href={parent.path}>
            {parent.name}
          </Link>
        ) : null}
        <h1 class="row">
          {title} {badge}
        </h1>
      </div>
      <div class="actions">{children}</div>
    </header>
  );
}
