// SPDX-License-Identifier: Apache-2.0
// Which text field has the focus, and whether something was typed into it since then.

/** Fields whose typing the browser can undo. */
const TEXT =
  'textarea, input:not([type]), input:is([type=text], [type=url], [type=search], [type=email], [type=password])';

type Field = HTMLInputElement | HTMLTextAreaElement;

const fieldOf = (target: EventTarget | null): Field | undefined =>
  target instanceof HTMLElement && target.matches(TEXT) ? (target as Field) : undefined;

let visits = 0;

export function trackTyping() {
  let field: Field | undefined;
  /** The value when the field got the focus. */
  let before = '';
  const controller = new AbortController();
  const enter = (target: EventTarget | null) => {
    field = fieldOf(target);
    before = field?.value ?? '';
    visits += 1;
  };
  enter(document.activeElement);
  addEventListener('focusin', ({ target }) => enter(target), { signal: controller.signal });
  addEventListener('focusout', () => enter(null), { signal: controller.signal });
  return {
    /** The number of this visit to a text field; undefined in other fields. */
    visit: (): number | undefined => (field === undefined ? undefined : visits),
    isTyped: (): boolean => field !== undefined && field.value !== before,
    /** The value of the field was changed by an undo of the page: nothing is typed yet. */
    settle: () => enter(field ?? null),
    end: () => controller.abort(),
  };
}
