// SPDX-License-Identifier: Apache-2.0

import { placeOnScale, scaleMarks } from '../channels/timelineScale.ts';
import { formatDuration, formatMark, formatTick, formatTimeOfDay } from '../format/time.ts';
import { originPhases, type PhaseSpan, phaseTotals } from './originPhases.ts';

const describe = ({ phase, from, to, reason }: PhaseSpan): string =>
  `${originPhases[phase][1]}, ${formatTimeOfDay(from)} to ${formatTimeOfDay(to)}${reason ? `: ${reason}` : ''}`;

/** Labels at the ends of the strip would be cut off. Per cent. */
const MARGIN = 3;
/** Shorter strips have labels with seconds. */
const SHORT_MS = 600_000;

/** The phases of an origin to scale. The legend states how long each one lasted, for readers who see no strip. */
export function HealthStrip({ spans }: { readonly spans: readonly PhaseSpan[] }) {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  if (to <= from) return null;
  const leftOf = (time: number) => ((time - from) / (to - from)) * 100;
  const marks = scaleMarks(from, to - from).filter((mark) => leftOf(mark) > MARGIN && leftOf(mark) < 100 - MARGIN);
  return (
    <div class="health">
      <div class="phases" aria-hidden="true">
        {spans.map((span) => {
          const { left, width } = placeOnScale(span.from, (span.to - span.from) / 1000, from, to - from)!;
          return (
            <span
              key={span.from}
              class={`phase ${span.phase}`}
              style={{ left: `${left}%`, width: `${width}%` }}
              title={describe(span)}
            />
          );
        })}
      </div>
      <div class="ticks" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ left: `${leftOf(mark)}%` }}>
            {to - from < SHORT_MS ? formatMark(mark) : formatTick(mark)}
          </span>
        ))}
      </div>
      <ul class="legend">
        {phaseTotals(spans).map(([phase, total]) => (
          <li key={phase}>
            <i class={`phase ${phase}`} aria-hidden="true" />
            {originPhases[phase][1]} <span class="muted">{formatDuration(Math.round(total / 1000))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
