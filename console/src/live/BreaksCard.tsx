// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { LiveBreaks } from '../../../src/http/contract/liveContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { useLatest } from '../api/useLatest.ts';
import { useNow } from '../api/useNow.ts';
import { Button } from '../components/buttons/Button.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { useQueryState } from '../navigation/useQueryState.ts';
import { BreakTable } from './BreakTable.tsx';
import { BreakWarnings } from './BreakWarnings.tsx';
import { breakState } from './breakState.ts';
import { InsertDialog } from './InsertDialog.tsx';
import type { InsertionKind } from './insertion.ts';
import { maxBreakDuration } from './maxBreakDuration.ts';
import { breakKey, mergeInserted } from './mergeInserted.ts';
import { OnAirBreak } from './OnAirBreak.tsx';

const PAGE_SIZE = 10;
const kinds: readonly InsertionKind[] = ['ads', 'blackout'];

/** The breaks of a channel as they come: what is on air, a list, and buttons to insert and to end one. */
export function BreaksCard({ channel }: { readonly channel: ChannelResponse }) {
  const [offset, setOffset] = useState(0);
  // In the address, so that other pages can open the dialog.
  const [{ insert }, changeQuery] = useQueryState({ insert: '' });
  const inserting = kinds.find((kind) => kind === insert);
  const setInserting = (kind?: InsertionKind) => changeQuery({ insert: kind ?? '' });
  const [announcement, setAnnouncement] = useState('');
  const path = `/channels/${encodeURIComponent(channel.id)}/breaks?offset=${offset}&limit=${PAGE_SIZE}`;
  const breaks = useGet<LiveBreaks>(path, POLL.active);
  const listed = useLatest(breaks.data);
  const now = useNow();
  const longest = maxBreakDuration(channel);
  const items = mergeInserted(listed?.items ?? []);
  const onAir = items.filter((each) => breakState(each, now, longest) === 'onAir');
  const isLive = channel.type === 'live';
  const report = (text: string) => {
    setAnnouncement(text);
    breaks.reload();
  };
  return (
    <section class="card stack tight breaks" aria-label="Breaks">
      <header>
        <h2>{isLive ? 'Breaks' : 'Inserted breaks'}</h2>
        {channel.state === 'disabled' ? null : (
          <div class="actions">
            <Button icon="plus" isSmall requires="operate" onClick={() => setInserting('ads')}>
              Insert break
            </Button>
            <Button isSmall requires="operate" onClick={() => setInserting('blackout')}>
              Blackout
            </Button>
          </div>
        )}
      </header>
      <LoadState of={breaks} lines={2} />
      {onAir.map((each) => (
        <OnAirBreak key={breakKey(each)} of={each} {...{ channel, now, onEnded: report }} />
      ))}
      {listed && items.length === 0 ? <p class="muted">No breaks yet</p> : null}
      {items.length > 0 ? <BreakTable {...{ channel, items, now, onCancelled: report }} /> : null}
      {listed ? <Pagination {...{ offset, limit: PAGE_SIZE, total: listed.total }} onChange={setOffset} /> : null}
      <BreakWarnings warnings={listed?.warnings ?? []} />
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      {inserting === undefined || channel.state === 'disabled' ? null : (
        <InsertDialog
          {...{ channel, kind: inserting }}
          onClose={() => setInserting(undefined)}
          onInserted={(text) => {
            setInserting(undefined);
            report(text);
          }}
        />
      )}
    </section>
  );
}
