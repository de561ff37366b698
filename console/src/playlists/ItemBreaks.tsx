// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { BreaksEveryDialog } from './BreaksEveryDialog.tsx';
import { CueRow } from './CueRow.tsx';
import { CueStrip } from './CueStrip.tsx';
import { freeCutPoint, fromSeconds, POST_ROLL, type SpliceType, toSeconds } from './cuePlacement.ts';
import { type DraftCue, type DraftItem, newCue } from './playlistDraft.ts';

type ItemBreaksProps = {
  readonly item: DraftItem;
  readonly name: string;
  readonly path: string;
  readonly errors: readonly FieldError[];
  readonly duration: number | undefined;
  readonly cutPoints: readonly number[];
  onChange(item: DraftItem): void;
};

/** The breaks of an item, on a strip and in numbers. */
export function ItemBreaks({ item, name, path, errors, duration, cutPoints, onChange }: ItemBreaksProps) {
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
      {duration === undefined ? null : <CueStrip {...{ item, duration, cutPoints }} onAdd={add} onChange={change} />}
      <ol class="cues" aria-label={`Breaks in ${name}`}>
        {cuePoints.map((cue, at) => (
          <CueRow
            key={cue.key}
            {...{ cue, item, errors, duration, cutPoints }}
            index={at}
            hasFrame={hasFrames}
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
          {duration === undefined ? null : (
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
        {cuePoints.length === 0 ? null : (
          <SegmentedControl
            label="Position unit"
            value={spliceType}
            options={[
              ['seconds', 'Seconds'],
              ['percent', 'Percent'],
            ]}
            onChange={changeUnit}
          />
        )}
      </div>
    </>
  );
}
