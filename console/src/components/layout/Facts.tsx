// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

type FactProps = {
  readonly name: ComponentChildren;
  /** Nothing is shown for undefined. */
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
};

/** A name next to its value, in a list of facts. */
export const Fact = ({ name, children, class: look }: FactProps) =>
  children === undefined ? null : (
    <>
      <dt>{name}</dt>
      <dd class={look}>{children}</dd>
    </>
  );

/** A name above its value, in a row of figures. */
export const Figure = ({ name, children, class: look }: FactProps) => (
  <div class={look}>
    <dt class="small muted">{name}</dt>
    <dd>{children}</dd>
  </div>
);
