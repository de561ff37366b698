// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { readLocal, storeLocal } from '../../api/browserStorage.ts';
import { SegmentedControl } from '../forms/SegmentedControl.tsx';

/** So many cards are seen at a glance. */
const MAX_CARDS = 12;

const views = { cards: 'Cards', table: 'Table' } as const;
type View = keyof typeof views;

export type ListView = { readonly isTable: boolean; choose(view: View): void };

/** Cards for a short list and a table for a long one, until the operator chooses. The browser keeps the choice. */
export function useListView(list: string, count: number): ListView {
  const key = `midroll-view-${list}`;
  const [chosen, setChosen] = useState(() => readLocal(key));
  const isTable = chosen === 'table' || (chosen !== 'cards' && count > MAX_CARDS);
  return {
    isTable,
    choose(view) {
      storeLocal(key, view);
      setChosen(view);
    },
  };
}

export const ViewSwitch = ({ view: { isTable, choose } }: { readonly view: ListView }) => (
  <SegmentedControl label="View" value={isTable ? 'table' : 'cards'} options={views} onChange={choose} />
);
