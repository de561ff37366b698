// SPDX-License-Identifier: Apache-2.0
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { sourceTypes } from '../demand/sourceTypes.ts';
import { orDash } from '../format/numbers.ts';
import { hasFailed, hookText, type ListedSource, requestedText, type TracedHook } from './offers.ts';

const columns: readonly Column[] = [
  { label: 'Step' },
  { label: 'Ad source' },
  { label: 'Requested', kind: 'wide' },
  { label: 'Time', kind: 'right' },
  { label: 'Ads', kind: 'right' },
];

const Hook = ({ name, hook }: { readonly name: string; readonly hook: TracedHook }) => (
  <p class={hook.error === undefined ? 'small muted' : 'small reason'}>
    {name}: {hookText(hook)}
  </p>
);

type SourcesTableProps = {
  readonly sources: readonly ListedSource[];
  /** The hook after all responses. */
  readonly adsHook: TracedHook | undefined;
};

/** The ad sources of a break by step: what was requested of each, and what it offered. */
export const SourcesTable = ({ sources, adsHook }: SourcesTableProps) => (
  <>
    <Table columns={columns} isFocusable>
      {sources.map((one) => (
        <tr key={one.source}>
          <td>{one.step + 1}</td>
          <td class="name main">
            {one.name || one.source} <small>{sourceTypes[one.type]}</small>
            {one.reason ? (
              <p class={hasFailed(one) ? 'small reason' : 'small'}>
                {one.reason.text} <code>{one.reason.code}</code>
              </p>
            ) : null}
            {one.hooks?.map((hook, index) => (
              <Hook key={index} name="Hook" hook={hook} />
            ))}
          </td>
          <td class="wide nowrap">{requestedText(one)}</td>
          <td class="right">
            <span class="nowrap">{orDash(one.ms, (ms) => `${Math.round(ms)} ms`)}</span>
            {one.waitedMs ? <SecondLine>{Math.round(one.waitedMs)} ms waiting</SecondLine> : null}
          </td>
          <td class="right">{one.offered}</td>
        </tr>
      ))}
    </Table>
    {adsHook ? <Hook name="Ads hook" hook={adsHook} /> : null}
  </>
);
