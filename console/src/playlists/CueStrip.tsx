// SPDX-License-Identifier: Apache-2.0

import { useRef } from 'preact/hooks';
import { defined } from '../../../src/invariant.ts';
import { nearestPoint } from '../../../src/scheduling/breakRules.ts';
import { followPointer } from '../components/pointer/followPointer.ts';
import { formatTimecode } from '../format/time.ts';
import { fromSeconds, stepCutPoint, toSeconds } from './cuePlacement.ts';
import type { DraftCue, DraftItem } from './playlistDraft.ts';

type CueStripProps = {
  readonly item: DraftItem;
  /** Seconds. */
  readonly duration: number;
  readonly cutPoints: readonly number[];
  /** @param seconds the position in the item */
  onAdd(seconds: number): void;
  onChange(cue: DraftCue): void;
};

/** More ticks than this would merge into a grey area. */
const MAX_TICKS = 240;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** An item to scale with its cut points. Breaks are added with a click and moved by dragging or with the arrow keys. */
export function CueStrip({ item, duration, cutPoints, onAdd, onChange }: CueStripProps) {
  const lane = useRef<HTMLDivElement>(null);
  const leftOf = (seconds: number) => ({ left: `${(seconds / duration) * 100}%` });
  const secondsAt = (clientX: number): number => {
    const { left, width } = defined(lane.current, 'the strip is shown').getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration;
  };
  const place = (cue: DraftCue, seconds: number) => {
    const cutPoint = nearestPoint(cutPoints, seconds) ?? seconds;
    onChange({ ...cue, spliceTime: fromSeconds(cutPoint, item.spliceType, duration) });
  };
  const drag = (cue: DraftCue) => (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    followPointer(handle, ({ clientX }) => place(cue, secondsAt(clientX)));
  };
  const press = (cue: DraftCue, cutPoint: number) => (event: KeyboardEvent) => {
    const step = steps[event.key];
    const ends: Readonly<Record<string, number>> = { Home: 0, End: duration };
    const target = step === undefined ? ends[event.key] : stepCutPoint(cutPoints, cutPoint, step);
    if (target === undefined) return;
    event.preventDefault();
    place(cue, target);
  };
  return (
    <div class="cue-strip">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the keyboard has the button "Add break" */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        class="lane"
        ref={lane}
        onClick={(event) => event.target === event.currentTarget && onAdd(secondsAt(event.clientX))}
      >
        {cutPoints.length <= MAX_TICKS
          ? cutPoints.map((point) => <i key={point} class="tick" style={leftOf(point)} />)
          : null}
        {item.cuePoints.map((cue, index) => {
          const position = toSeconds(cue.spliceTime, item.spliceType, duration);
          const cutPoint = nearestPoint(cutPoints, position) ?? Math.min(position, duration);
          return (
            <button
              key={cue.key}
              type="button"
              class="cue"
              style={leftOf(cutPoint)}
              role="slider"
              aria-label={`Break ${index + 1}`}
              aria-valuemin={0}
              aria-valuemax={Math.round(duration)}
              aria-valuenow={Math.round(cutPoint * 10) / 10}
              aria-valuetext={`${formatTimecode(cutPoint, true)}, duration ${cue.maxDuration === undefined ? 'default' : `${cue.maxDuration} s`}`}
              onPointerDown={drag(cue)}
              onKeyDown={press(cue, cutPoint)}
            >
              <span>{index + 1}</span>
            </button>
          );
        })}
      </div>
      <div class="scale number muted" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{formatTimecode(part * duration)}</span>
        ))}
      </div>
    </div>
  );
}
