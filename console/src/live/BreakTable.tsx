// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type Column, Table } from '../components/layout/Table.tsx';
import { BreakRow } from './BreakRow.tsx';
import type { LiveBreak } from './liveTypes.ts';
import { breakKey } from './mergeInserted.ts';

const columns: readonly Column[] = [
  { label: 'Start' },
  { label: 'Status' },
  { label: 'Duration' },
  { label: 'Source', kind: 'wide' },
  { label: 'Viewers', kind: 'wide' },
  { label: 'Actions', isHidden: true },
];

type BreakTableProps = {
  readonly channel: ChannelResponse;
  readonly items: readonly LiveBreak[];
  readonly now: number;
  onCancelled(announcement: string): void;
};

/** Breaks, newest first. Each one opens to show its marker. */
export const BreakTable = ({ items, ...rest }: BreakTableProps) => (
  <Table columns={columns} isFocusable>
    {items.map((each) => (
      <BreakRow key={breakKey(each)} of={each} columns={columns.length} {...rest} />
    ))}
  </Table>
);
