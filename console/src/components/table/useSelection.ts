// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { nothing, type Selection } from './selection.ts';

/**
 * The selected rows of a list.
 * @param scope the filters: others select nothing, so that no row is changed that is not listed
 */
export function useSelection(scope: string) {
  const [state, setState] = useState({ scope, selection: nothing });
  const [select] = useState(() => (selection: Selection) => setState((before) => ({ ...before, selection })));
  if (state.scope !== scope) setState({ scope, selection: nothing });
  return { selection: state.scope === scope ? state.selection : nothing, select };
}
