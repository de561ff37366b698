// SPDX-License-Identifier: Apache-2.0
// The keys of a combobox with a list: ARIA 1.2, https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.

export type ComboboxState = {
  readonly isOpen: boolean;
  /** The option that Enter picks; undefined for none. */
  readonly active: number | undefined;
};

export const closed: ComboboxState = { isOpen: false, active: undefined };

export type ComboboxAction =
  | { readonly kind: 'show'; readonly state: ComboboxState }
  | { readonly kind: 'pick'; readonly index: number }
  /** What was typed, where it may be anything. */
  | { readonly kind: 'take' }
  /** Discards what was typed. */
  | { readonly kind: 'revert' };

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey'>;

/** @param count of options @param text what was typed @returns undefined for keys of the field */
export function comboboxKey(
  { key, altKey }: Pressed,
  { isOpen, active }: ComboboxState,
  count: number,
  text: string,
): ComboboxAction | undefined {
  const show = (next: number | undefined): ComboboxAction => ({ kind: 'show', state: { isOpen: true, active: next } });
  switch (key) {
    case 'ArrowDown':
      if (!isOpen) return show(altKey || count === 0 ? undefined : 0);
      return count === 0 ? undefined : show(active === undefined ? 0 : (active + 1) % count);
    case 'ArrowUp':
      if (isOpen && altKey) return { kind: 'revert' };
      if (count === 0) return undefined;
      return show(active === undefined ? count - 1 : (active - 1 + count) % count);
    case 'Enter':
      if (isOpen && active !== undefined && active < count) return { kind: 'pick', index: active };
      return text.trim() === '' ? undefined : { kind: 'take' };
    case 'Escape':
      return isOpen ? { kind: 'revert' } : undefined;
    default:
      return undefined;
  }
}
