import { useRef } from 'preact/hooks';
import { fromSeconds, nearestCutPoint, stepCutPoint, toSeconds } from '../logic/cuePlacing.ts';
import type { DraftCue, DraftItem } from '../logic/playlistDraft.ts';
import { formatLength } from '../logic/time.ts';

type CueStripProps = {
  readonly item: DraftItem;
  /** Seconds. */
  readonly duration: number;
  readonly cutPoints: readonly number[];
  /** At this instant of the item. */
  onAdd(seconds: number): void;
  onChange(cue: DraftCue): void;
};

/** More lines than this would be a grey surface. */
const MOST_TICKS = 240;
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** An item to scale, with the places where it may be cut; breaks are put on it, dragged, and moved with the arrow keys. */
export function CueStrip({ item, duration, cutPoints, onAdd, onChange }: CueStripProps) {
  const lane = useRef<HTMLDivElement>(null);
  const at = (seconds: number) => ({ left: `${(seconds / duration) * 100}%` });
  const secondsAt = (clientX: number): number => {
    const { left, width } = lane.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration;
  };
  const place = (cue: DraftCue, seconds: number) => {
    const landing = nearestCutPoint(cutPoints, seconds) ?? seconds;
    onChange({ ...cue, spliceTime: fromSeconds(landing, item.spliceType, duration) });
  };
  const drag = (cue: DraftCue) => (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => place(cue, secondsAt(clientX));
    handle.addEventListener('pointermove', move);
    const end = () => handle.removeEventListener('pointermove', move);
    handle.addEventListener('pointerup', end, { once: true });
    handle.addEventListener('pointercancel', end, { once: true });
  };
  const press = (cue: DraftCue, landing: number) => (event: KeyboardEvent) => {
    const step = steps[event.key];
    const ends: Readonly<Record<string, number>> = { Home: 0, End: duration };
    if (step === undefined && ends[event.key] === undefined) return;
    event.preventDefault();
    place(cue, step === undefined ? ends[event.key]! : stepCutPoint(cutPoints, landing, step));
  };
  return (
    <div class="cue-strip">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the button "Add a break" is for all */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: likewise */}
      <div
        class="lane"
        ref={lane}
        onClick={(event) => event.target === event.currentTarget && onAdd(secondsAt(event.clientX))}
      >
        {cutPoints.length <= MOST_TICKS
          ? cutPoints.map((point) => <i key={point} class="tick" style={at(point)} />)
          : null}
        {item.cuePoints.map((cue, index) => {
          const wanted = toSeconds(cue.spliceTime, item.spliceType, duration);
          const landing = nearestCutPoint(cutPoints, wanted) ?? Math.min(wanted, duration);
          return (
            <button
              key={cue.key}
              type="button"
              class="cue"
              style={at(landing)}
              role="slider"
              aria-label={`Break ${index + 1}`}
              aria-valuemin={0}
              aria-valuemax={Math.round(duration)}
              aria-valuenow={Math.round(landing * 10) / 10}
              aria-valuetext={`${formatLength(landing, true)}, ${cue.maxDuration} s long`}
              onPointerDown={drag(cue)}
              onKeyDown={press(cue, landing)}
            >
              <span>{index + 1}</span>
            </button>
          );
        })}
      </div>
      <div class="scale" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{formatLength(part * duration)}</span>
        ))}
      </div>
    </div>
  );
}
