// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

type MenuProps = { readonly label: string; readonly children: ComponentChildren };

/** A button that opens a box with choices. It closes on Escape, and when the focus leaves it. */
export function Menu({ label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => element.current?.removeAttribute('open');
  return (
    <details
      ref={element}
      class="menu"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !element.current?.open) return;
        event.stopPropagation();
        close();
        element.current.querySelector('summary')?.focus();
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !element.current?.contains(relatedTarget)) close();
      }}
    >
      <summary class="button">{label}</summary>
      {/* Focusable, so that a click on its ground does not close it. */}
      {isOpen ? <div tabIndex={-1}>{children}</div> : null}
    </details>
  );
}
