// SPDX-License-Identifier: Apache-2.0

import { useRef, useState } from 'preact/hooks';
import { defined } from '../../../src/invariant.ts';
import { Button } from '../components/buttons/Button.tsx';
import { followPointer } from '../components/pointer/followPointer.ts';
import { formatTimecode } from '../format/time.ts';
import { adProgress, breakFacts, breakName, kindAt } from '../sessions/breakNames.ts';
import { breakAt, contentTimeOf, type SessionBreak, streamTimeOf } from './contentClock.ts';

type ContentBarProps = {
  readonly breaks: readonly SessionBreak[];
  /** Seconds of content. */
  readonly duration: number;
  /** Seconds of the stream. */
  readonly position: number;
  /** @param streamTime seconds */
  onSeek(streamTime: number): void;
};

/** Seconds of content. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -60,
  PageUp: 60,
};

/** A seek bar in content time: breaks are points on it, and it stands still while ads play. */
export function ContentBar({ breaks, duration, position, onSeek }: ContentBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  /** The content time under the pointer while it drags. */
  const [dragged, setDragged] = useState<number>();
  const contentTime = Math.min(duration, dragged ?? contentTimeOf(position, breaks));
  const current = dragged === undefined ? breakAt(position, breaks) : undefined;
  const leftOf = (time: number) => ({ left: `${duration === 0 ? 0 : (time / duration) * 100}%` });
  const nameOf = (one: SessionBreak) =>
    breakName({ kind: kindAt(one.contentTime, duration), contentTime: one.contentTime });
  const ad = current && adProgress(current, position);
  const time = `${formatTimecode(contentTime)} / ${formatTimecode(duration)}`;
  const seek = (content: number) => onSeek(streamTimeOf(Math.min(duration, Math.max(0, content)), breaks));
  const timeAt = (clientX: number): number => {
    const { left, width } = defined(bar.current, 'the bar is shown').getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration;
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const ends: Readonly<Record<string, number>> = { Home: 0, End: duration };
    const target = step === undefined ? ends[event.key] : contentTime + step;
    if (target === undefined) return;
    event.preventDefault();
    seek(target);
  };
  const drag = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const handle = defined(bar.current, 'the bar is shown');
    handle.setPointerCapture(event.pointerId);
    setDragged(timeAt(event.clientX));
    const move = ({ clientX }: PointerEvent) => setDragged(timeAt(clientX));
    followPointer(handle, move, (isLifted, { clientX }) => {
      setDragged(undefined);
      if (isLifted) seek(timeAt(clientX));
    });
  };
  return (
    <div class="content-bar">
      <div
        class="bar"
        ref={bar}
        role="slider"
        tabIndex={0}
        aria-label="Content position"
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={Math.round(contentTime)}
        aria-valuetext={ad === undefined ? time : `${time}, ${ad}`}
        data-ad={ad !== undefined}
        onKeyDown={press}
        onPointerDown={drag}
      >
        <div class="played" style={{ width: leftOf(contentTime).left }} />
        {breaks.map((one) => (
          <i key={one.id} class="mark" style={leftOf(one.contentTime)} title={`${nameOf(one)}: ${breakFacts(one)}`} />
        ))}
        <i class="thumb" style={leftOf(contentTime)} />
      </div>
      <div class="row between small">
        <output class="number">{ad ?? time}</output>
        {ad === undefined ? null : <span class="muted number">{time}</span>}
      </div>
      {breaks.length === 0 ? (
        <p class="small muted">No breaks in this session</p>
      ) : (
        <ol class="breaks" aria-label="Breaks">
          {breaks.map((one) => (
            <li key={one.id}>
              <Button isSmall isPressed={current?.id === one.id} onClick={() => onSeek(one.streamTime)}>
                {nameOf(one)}
              </Button>
              <span class="small muted">{breakFacts(one)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
