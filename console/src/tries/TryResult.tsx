// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { AdTry } from '../../../src/platform/tries/contract/tryContract.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';
import { breakStatuses, breakSummary, filledSeconds } from '../sessions/breakSummary.ts';
import { ExchangeItem } from './ExchangeItem.tsx';
import { JudgedAds } from './JudgedAds.tsx';

type TriedLadder = AdTry['ladders'][number];

const ladderName = ({ formats, rungs }: TriedLadder): string => {
  const top = rungs.find(({ height }) => height !== undefined);
  const size = top === undefined ? '' : `, ${top.width} × ${top.height}`;
  return `${formats.map((format) => format.toUpperCase()).join(' and ')}${size}`;
};

const Verdict = ({ one, name }: { readonly one: TriedLadder['breaks'][number]; readonly name: string }) => (
  <section class="card stack">
    <div class="row between">
      <h2>{one.timeOffset === undefined ? 'Break' : `Break at ${one.timeOffset}`}</h2>
      <span class="small muted">{name}</span>
    </div>
    <div class="row">
      <StatusBadge status={breakStatuses[one.status]} />
      <span>{breakSummary(one)}</span>
      {one.duration > 0 ? (
        <span class="small muted number">
          {formatDuration(filledSeconds(one))} of {formatDuration(one.duration)}
        </span>
      ) : null}
    </div>
    <JudgedAds ads={one.ads} />
    {one.warnings.length > 0 ? (
      <details>
        <summary>{plural(one.warnings.length, 'warning')}</summary>
        <ul class="warnings">
          {one.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </details>
    ) : null}
  </section>
);

/** What a try found: the verdict of each break, and the requests. */
export function TryResult({ result, action }: { readonly result: AdTry; readonly action: ComponentChildren }) {
  const { ladders, exchanges, reason, omittedExchanges } = result;
  // Of VMAP, they are requests for ad tags, too.
  const isVmap = exchanges[0]?.contents?.format === 'VMAP';
  return (
    <div class="stack try-result" aria-live="polite">
      {action === null ? null : <div class="row">{action}</div>}
      {reason && ladders.length === 0 ? <Notice tone="bad">{reason.text}</Notice> : null}
      {ladders.length === 0 ? (
        <Notice tone="warn">The channel is not on air, so it is not known which creatives would fit.</Notice>
      ) : null}
      {ladders.flatMap((ladder) =>
        ladder.breaks.map((one) => (
          <Verdict key={`${ladderName(ladder)} ${one.id}`} one={one} name={ladderName(ladder)} />
        )),
      )}
      <section class="card stack">
        <h2>Requests</h2>
        <ol class="exchanges">
          {exchanges.map((exchange, index) => (
            <ExchangeItem
              key={`${index} ${exchange.url}`}
              name={index === 0 ? 'Ad request' : `${isVmap ? 'Request' : 'Wrapper'} ${index}`}
              exchange={exchange}
              all={exchanges}
            />
          ))}
        </ol>
        {omittedExchanges > 0 ? <p class="small muted">{plural(omittedExchanges, 'more request')}</p> : null}
      </section>
    </div>
  );
}
