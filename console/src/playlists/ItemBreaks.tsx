// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { nearestPoint } from '../../../src/scheduling/breakRules.ts';
import { ApiError, type FieldError } from '../api/apiError.ts';
import { callBlob } from '../api/call.ts';
import { wait } from '../api/wait.ts';
import { Button } from '../components/buttons/Button.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { formatDuration, formatTimecode } from '../format/time.ts';
import { BreaksEveryDialog } from './BreaksEveryDialog.tsx';
import { CueStrip } from './CueStrip.tsx';
import { freeCutPoint, fromSeconds, MAX_MOVE, POST_ROLL, type SpliceType, toSeconds } from './cuePlacement.ts';
import { type DraftCue, type DraftItem, newCue } from './playlistDraft.ts';

type ItemBreaksProps = {
  readonly item: DraftItem;
  readonly name: string;
  readonly path: string;
  readonly errors: readonly FieldError[];
  readonly duration: number | undefined;
  readonly cutPoints: readonly number[];
  /** Where an entry of a schedule begins in its source, in seconds. It states positions in seconds, and has rules of its own. */
  readonly begin?: number;
  onChange(item: DraftItem): void;
};

/** The breaks of an item, on a strip and in numbers. */
export function ItemBreaks({ item, name, path, errors, duration, cutPoints, begin, onChange }: ItemBreaksProps) {
  const { cuePoints, spliceType } = item;
  const [isEvery, setEvery] = useState(false);
  const [hasFrames, setFrames] = useState(false);
  const set = (cues: readonly DraftCue[]) => onChange({ ...item, cuePoints: cues });
  const change = (cue: DraftCue) => set(cuePoints.map((each) => (each.key === cue.key ? cue : each)));
  const add = (seconds: number) =>
    set([...cuePoints, newCue(duration === undefined ? seconds : fromSeconds(seconds, spliceType, duration))]);
  const addInGap = () => {
    if (duration === undefined) return add(0);
    const taken = cuePoints.map((cue) => toSeconds(cue.spliceTime, spliceType, duration));
    add(freeCutPoint(cutPoints, taken, duration));
  };
  const addPostRoll = () => set([...cuePoints, newCue(POST_ROLL)]);
  const hasPostRoll = cuePoints.some(({ spliceTime }) => spliceTime === POST_ROLL);
  const changeUnit = (unit: SpliceType) => {
    const convert = (cue: DraftCue): DraftCue => {
      if (duration === undefined || cue.spliceTime === POST_ROLL) return cue;
      const seconds = toSeconds(cue.spliceTime, spliceType, duration);
      return { ...cue, spliceTime: fromSeconds(seconds, unit, duration) };
    };
    onChange({ ...item, spliceType: unit, cuePoints: cuePoints.map(convert) });
  };
  return (
    <>
      {duration === undefined ? null : (
        <CueStrip item={item} duration={duration} cutPoints={cutPoints} onAdd={add} onChange={change} />
      )}
      <ol class="cues stack tight" aria-label={`Breaks in ${name}`}>
        {cuePoints.map((cue, at) => (
          <CueRow
            key={cue.key}
            cue={cue}
            item={item}
            errors={errors}
            duration={duration}
            cutPoints={cutPoints}
            index={at}
            hasFrame={hasFrames}
            begin={begin ?? 0}
            path={`${path}/cuePoints/${at}`}
            onChange={change}
            onRemove={() => set(cuePoints.filter(({ key }) => key !== cue.key))}
          />
        ))}
      </ol>
      {isEvery ? (
        <BreaksEveryDialog
          items={[item]}
          onApply={([changed]) => changed && onChange(changed)}
          onClose={() => setEvery(false)}
        />
      ) : null}
      <div class="row between">
        <div class="row">
          <Button icon="plus" isSmall onClick={addInGap}>
            Add break
          </Button>
          {duration === undefined || begin !== undefined ? null : (
            <Button kind="quiet" isSmall onClick={() => setEvery(true)}>
              Every n minutes…
            </Button>
          )}
          {cuePoints.length === 0 || cutPoints.length === 0 ? null : (
            <Button kind="quiet" icon="eye" isSmall isPressed={hasFrames} onClick={() => setFrames(!hasFrames)}>
              Frames
            </Button>
          )}
          {hasPostRoll ? null : (
            <Button kind="quiet" isSmall onClick={addPostRoll}>
              Add post-roll
            </Button>
          )}
        </div>
        {cuePoints.length === 0 || begin !== undefined ? null : (
          <SegmentedControl
            label="Position unit"
            value={spliceType}
            options={{ seconds: 'Seconds', percent: 'Percent' }}
            onChange={changeUnit}
          />
        )}
      </div>
    </>
  );
}

type CueRowProps = Omit<ItemBreaksProps, 'name' | 'onChange'> & {
  readonly cue: DraftCue;
  readonly index: number;
  readonly hasFrame: boolean;
  onChange(cue: DraftCue): void;
  onRemove(): void;
};

/** An empty field is not 0: the API reports that it is missing. */
const required = (value: number | undefined): number => value ?? Number.NaN;

/** One break in numbers: its position, the cut point it snaps to, its duration and the number of ads. */
function CueRow(props: CueRowProps) {
  const { cue, index, item, path, errors, duration, cutPoints, begin = 0, hasFrame, onChange, onRemove } = props;
  const position = duration === undefined ? undefined : toSeconds(cue.spliceTime, item.spliceType, duration);
  const cutPoint = position === undefined || Number.isNaN(position) ? undefined : nearestPoint(cutPoints, position);
  const move = cutPoint === undefined || position === undefined ? 0 : Math.abs(cutPoint - position);
  const error = (name: keyof DraftCue) => fieldError(errors, `${path}/${name}`);
  return (
    <li class="cue-row">
      <span class="number">{index + 1}</span>
      <NumberField
        label={item.spliceType === 'percent' ? 'Position (%)' : 'Position (s)'}
        value={cue.spliceTime}
        error={error('spliceTime')}
        {...(cue.spliceTime === POST_ROLL ? { hint: 'Post-roll' } : {})}
        onInput={(value) => onChange({ ...cue, spliceTime: required(value) })}
      />
      <div class="cut-point">
        <span class="small muted">Snaps to</span>
        <output>{cutPoint === undefined ? '–' : formatTimecode(cutPoint, true)}</output>
        {hasFrame && cutPoint !== undefined ? <CueFrame url={item.url.trim()} at={begin + cutPoint} /> : null}
        {move > MAX_MOVE ? <span class="small">{formatDuration(move)} off</span> : null}
      </div>
      <NumberField
        label="Duration (s)"
        value={cue.maxDuration}
        error={error('maxDuration')}
        {...(cue.maxDuration === undefined ? { hint: 'Channel default' } : {})}
        onInput={(maxDuration) => {
          const { maxDuration: _, ...rest } = cue;
          onChange(maxDuration === undefined ? rest : { ...rest, maxDuration });
        }}
      />
      <NumberField
        label="Max ads"
        value={cue.maxAds}
        error={error('maxAds')}
        onInput={(maxAds) => {
          const { maxAds: _, ...rest } = cue;
          onChange(maxAds === undefined ? rest : { ...rest, maxAds });
        }}
      />
      <Button icon="trash" kind="quiet" label={`Remove break ${index + 1}`} onClick={onRemove} />
    </li>
  );
}

/** A break that is dragged passes many cut points. */
const PAUSE_MS = 300;
const RETRY_MS = 1500;

/** One frame after the other: the server makes few at a time. */
let previous: Promise<unknown> = Promise.resolve();

type Frame = { readonly url: string; readonly at: number };

async function read(frame: Frame, signal: AbortSignal): Promise<Blob | undefined> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await callBlob('/imports/frame', { query: frame, signal, accept: 'image/jpeg' });
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof ApiError) || error.status !== 429) return undefined;
      await wait(RETRY_MS, signal);
    }
  }
}

function readInTurn(frame: Frame, signal: AbortSignal): Promise<Blob | undefined> {
  const reading = previous.then(() => read(frame, signal));
  previous = reading.catch(() => undefined);
  return reading;
}

/** The picture with which the content continues at a cut point. @param at seconds */
export function CueFrame({ url, at }: { readonly url: string; readonly at: number }) {
  const [shown, setShown] = useState<Frame & { readonly source?: string }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let source: string | undefined;
    wait(PAUSE_MS, signal)
      .then(async () => {
        const picture = await readInTurn({ url, at }, signal);
        source = picture && URL.createObjectURL(picture);
        setShown({ url, at, ...(source === undefined ? {} : { source }) });
      })
      .catch(() => {});
    return () => {
      controller.abort();
      if (source !== undefined) URL.revokeObjectURL(source);
    };
  }, [url, at]);
  if (shown?.url !== url || shown.at !== at) return <span class="cue-frame skeleton" />;
  return shown.source === undefined ? (
    <span class="small muted">No frame</span>
  ) : (
    <img class="cue-frame" src={shown.source} alt={`Frame at ${formatTimecode(at, true)}`} />
  );
}
