// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

type LinkCardProps = {
  readonly title: string;
  /** The page that has all of it; undefined for none. */
  readonly href: string | undefined;
  readonly link: string;
  readonly children: ComponentChildren;
  readonly class?: string;
};

/** A card with a part of what another page has. */
export const LinkCard = ({ title, href, link, children, class: look = '' }: LinkCardProps) => (
  <section class={`card ${look}`}>
    <header>
      <h2>{title}</h2>
      {href === undefined ? null : (
        <Link class="small" href={href}>
          {link}
        </Link>
      )}
    </header>
    {children}
  </section>
);
