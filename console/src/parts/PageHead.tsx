import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';

type PageHeadProps = {
  readonly title: string;
  readonly badge?: ComponentChildren;
  readonly parent?: { readonly name: string; readonly path: string };
  readonly children?: ComponentChildren;
};

/** A page's name, where it belongs, and what can be done with all of it. */
export function PageHead({ title, badge, parent, children }: PageHeadProps) {
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
        <h1>
          {title} {badge}
        </h1>
      </div>
      <div class="actions">{children}</div>
    </header>
  );
}
