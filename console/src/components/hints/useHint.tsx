// SPDX-License-Identifier: Apache-2.0
// A text that explains a control: shown on focus, hover and tap, closed by Escape, and read by screen readers as its description.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import './hints.css';

/** The time to move the pointer from the control to its hint. */
const LEAVE_MS = 150;
/** Pixels between the hint and the control, and the edge of the window. */
const DISTANCE = 6;

export type Hint = {
  /** Attributes of the control. */
  readonly target: {
    readonly 'aria-describedby'?: string;
    onFocus?(event: FocusEvent): void;
    onBlur?(): void;
    onPointerEnter?(event: PointerEvent): void;
    onPointerLeave?(): void;
  };
  /** Rendered next to the control. */
  readonly tip: VNode | null;
  /** For a tap, which moves the focus in some browsers only. */
  show(anchor: HTMLElement): void;
};

/** Hides the hint that is open: there is one at a time. */
let hideOpen = () => {};

/** Below the control, or above it at the end of the window. */
function place(tip: HTMLElement, anchor: HTMLElement): void {
  const [at, size] = [anchor.getBoundingClientRect(), tip.getBoundingClientRect()];
  const left = at.left + at.width / 2 - size.width / 2;
  const isBelow = at.bottom + DISTANCE + size.height <= innerHeight;
  tip.style.left = `${Math.max(DISTANCE, Math.min(left, innerWidth - size.width - DISTANCE))}px`;
  tip.style.top = `${isBelow ? at.bottom + DISTANCE : at.top - DISTANCE - size.height}px`;
}

/** @param text undefined for a control without a hint */
export function useHint(text: string | undefined): Hint {
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement>();
  const leaving = useRef<ReturnType<typeof setTimeout>>();
  const hide = () => setAnchor(undefined);
  const stay = () => clearTimeout(leaving.current);
  const leave = () => {
    stay();
    leaving.current = setTimeout(hide, LEAVE_MS);
  };
  const show = (target: HTMLElement) => {
    stay();
    setAnchor(target);
  };
  useEffect(() => stay, []);
  useEffect(() => {
    const element = tip.current;
    if (anchor === undefined || element === null) return;
    const controller = new AbortController();
    const options = { signal: controller.signal, capture: true };
    hideOpen();
    hideOpen = hide;
    element.showPopover();
    place(element, anchor);
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // The dialog around it stays open.
      event.preventDefault();
      event.stopPropagation();
      hide();
    };
    addEventListener('keydown', press, options);
    addEventListener('scroll', () => place(element, anchor), options);
    const isOutside = ({ target }: Event) => target instanceof Node && !anchor.contains(target) && target !== element;
    addEventListener('pointerdown', (event) => isOutside(event) && hide(), options);
    return () => {
      controller.abort();
      // Shown again, it must not hide itself.
      if (hideOpen === hide) hideOpen = () => {};
      if (element.isConnected) element.hidePopover();
    };
  }, [anchor, text]);
  if (text === undefined) return { target: {}, tip: null, show };
  return {
    target: {
      'aria-describedby': id,
      onFocus: ({ currentTarget }) => show(currentTarget as HTMLElement),
      onBlur: hide,
      onPointerEnter: ({ pointerType, currentTarget }) => pointerType === 'mouse' && show(currentTarget as HTMLElement),
      onPointerLeave: leave,
    },
    tip: (
      <span
        ref={tip}
        id={id}
        class="hint-tip"
        role="tooltip"
        popover="manual"
        onPointerEnter={stay}
        onPointerLeave={leave}
      >
        {text}
      </span>
    ),
    show,
  };
}

type HintTextProps = {
  /** The explanation; without one, the text has no button. */
  readonly hint: string | undefined;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** For what cannot be used, with the reason as its hint. */
  readonly isDisabled?: boolean;
};

/** A text with an explanation, which a pointer, a finger and the keyboard reach. */
export function HintText({ hint, children, class: look = 'hinted', isDisabled }: HintTextProps) {
  const { target, tip, show } = useHint(hint);
  if (hint === undefined) return <>{children}</>;
  return (
    <>
      <button
        type="button"
        class={look}
        aria-disabled={isDisabled}
        {...target}
        onClick={({ currentTarget }) => show(currentTarget)}
      >
        {children}
      </button>
      {tip}
    </>
  );
}
