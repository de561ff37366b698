// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { formatDuration, formatHourMinute, formatTimecode, formatTimeOfDay } from '../format/time.ts';
import { BreaksCard } from '../live/BreaksCard.tsx';
import { GoLiveDialog } from './GoLiveDialog.tsx';
import { ProgrammeHeader } from './ProgrammeHeader.tsx';
import { type Block, blocksOf, wholeSecond } from './programmeBlocks.ts';
import type { Rule } from './programmeDraft.ts';
import './programme.css';

const HOUR = 3_600_000;
const PAST = 6 * HOUR;
const AHEAD = 18 * HOUR;
const MAX_NEXT = 12;
/** The timeline is read for the same time until so much has passed. */
const STEP = HOUR / 2;

/** What is on air and what is next, against what was planned, with breaks by hand: also for a phone. */
export function OnAirPage({ id }: { readonly id: string }) {
  const path = { id };
  const now = useNow();
  const channel = useGet('/channels/{id}', { path }, POLL.normal);
  const from = Math.floor((now - PAST) / STEP) * STEP;
  const query = { from: String(from), to: String(from + PAST + AHEAD) };
  const timeline = useGet('/channels/{id}/schedule/timeline', { path, query }, POLL.slow);
  const data = useLatest(timeline.data);
  const stored = useGet('/channels/{id}/schedule', { path, query }, POLL.normal);
  const { entries = [], rules = [] } = useLatest(stored.data) ?? {};
  const [isStarting, setStarting] = useState(false);
  const reload = () => {
    timeline.reload();
    stored.reload();
  };
  const shown = data === undefined ? [] : blocksOf(data, entries).filter(({ isOut }) => !isOut);
  const onAir = shown.find((block) => block.from <= now && now < block.to);
  return (
    <>
      <ProgrammeHeader id={id} current="on-air">
        <Button icon="play" requires="operate" onClick={() => setStarting(true)}>
          Go live
        </Button>
      </ProgrammeHeader>
      {isStarting ? <GoLiveDialog id={id} onStarted={reload} onClose={() => setStarting(false)} /> : null}
      <div class="stack">
        <LoadState of={{ ...timeline, isLoading: timeline.isLoading && data === undefined }} />
        {onAir ? (
          <NowCard block={onAir} now={now}>
            {onAir.entryId !== undefined && (onAir.isLive || isLiveOfRule(onAir, rules)) ? (
              <EndButton id={id} entryId={onAir.entryId} title={onAir.title} onEnded={reload} />
            ) : null}
          </NowCard>
        ) : null}
        {data ? (
          <>
            <Programmes title="Next" blocks={shown.filter((block) => block.from > now).slice(0, MAX_NEXT)} />
            <Programmes title="Earlier" blocks={shown.filter((block) => block.to <= now).reverse()} />
          </>
        ) : null}
        {channel.data ? <BreaksCard channel={channel.data} /> : null}
      </div>
    </>
  );
}

/** Ids of occurrences are `RULE@DAY.ENTRY`, with `.2` where the entry is repeated. */
function isLiveOfRule({ ruleId, entryId = '' }: Block, rules: readonly Rule[]): boolean {
  const name = entryId.slice(`${ruleId}@2026-01-01.`.length);
  const isShown = (id: string) => id === name || id === name.replace(/\.\d+$/, '');
  const rule = rules.find(({ id }) => id === ruleId);
  return rule?.entries.some(({ id, source }) => 'live' in source && isShown(id)) === true;
}

type NowCardProps = { readonly block: Block; readonly now: number; readonly children: ComponentChildren };

/** What is on air, with the time that is left and the next break. */
function NowCard({ block, now, children }: NowCardProps) {
  const { title, from, to, breaks } = block;
  const next = breaks.find(({ at }) => at > now);
  const left = (until: number) => formatTimecode(Math.max(0, (until - now) / 1000));
  return (
    <section class="card stack tight" aria-label="On air">
      <header>
        <h2 class="wraps">{title}</h2>
        <Badge tone="good">On air</Badge>
      </header>
      <p class="number">
        {[from, to].map((time) => formatHourMinute(wholeSecond(time))).join('–')}, {left(to)} left
        {next === undefined ? '' : `, next break in ${left(next.at)}`}
      </p>
      <Deviation block={block} />
      <progress max={to - from} value={now - from} aria-label="Elapsed" />
      {children}
    </section>
  );
}

type EndButtonProps = { readonly id: string; readonly entryId: string; readonly title: string; onEnded(): void };

/** Ends the live programme that is on air. */
const EndButton = ({ id, entryId, title, onEnded }: EndButtonProps) => (
  <div class="row">
    <ConfirmButton
      label="End programme"
      requires="operate"
      title={`End “${title}”?`}
      message="Viewers see the end some seconds later. The next programmes follow as its settings say."
      act={async () => {
        await call('POST', '/channels/{id}/schedule/entries/{entryId}/end', { path: { id, entryId } });
        showToast({ text: `${title} ended.` });
      }}
      onDone={onEnded}
    />
  </div>
);

/** Milliseconds. A shorter difference is a matter of frames. */
const PUNCTUAL = 500;

/** How it starts against the time that it states. Nothing for what follows the one before it. */
function Deviation({ block: { plannedStart, from, isCut } }: { readonly block: Block }) {
  const late = plannedStart === undefined ? 0 : from - plannedStart;
  const seconds = formatDuration(Math.round(Math.abs(late) / 1000));
  return (
    <span class="row">
      {plannedStart === undefined ? null : Math.abs(late) <= PUNCTUAL ? (
        <Badge tone="good">On time</Badge>
      ) : (
        <>
          <Badge tone="warn">{`${seconds} ${late > 0 ? 'late' : 'early'}`}</Badge>
          <span class="small muted">planned {formatTimeOfDay(plannedStart)}</span>
        </>
      )}
      {isCut ? <Badge tone="warn">Cut</Badge> : null}
    </span>
  );
}

const Programmes = ({ title, blocks }: { readonly title: string; readonly blocks: readonly Block[] }) => (
  <section class="card" aria-label={title}>
    <h2>{title}</h2>
    {blocks.length === 0 ? <p class="muted">Nothing</p> : null}
    <ol class="programmes">
      {blocks.map((block) => (
        <li key={block.key}>
          <time>{formatTimeOfDay(wholeSecond(block.from))}</time>
          <span class="wraps">{block.title}</span>
          <Deviation block={block} />
        </li>
      ))}
    </ol>
  </section>
);
