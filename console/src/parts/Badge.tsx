import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'ad' | 'info' | 'calm';

/** A state in a word; the dot has a shape of its own for each tone, so that it is told without colours. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <i aria-hidden="true" />
    {children}
  </span>
);
