// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { formatDuration, formatTimecode } from '../format/time.ts';
import { CueFrame } from './CueFrame.tsx';
import { nearestCutPoint, POST_ROLL, toSeconds } from './cuePlacement.ts';
import type { DraftCue, DraftItem } from './playlistDraft.ts';

type CueRowProps = {
  readonly cue: DraftCue;
  readonly index: number;
  readonly item: DraftItem;
  readonly path: string;
  readonly errors: readonly FieldError[];
  readonly duration: number | undefined;
  readonly cutPoints: readonly number[];
  readonly hasFrame: boolean;
  onChange(cue: DraftCue): void;
  onRemove(): void;
};

/** The API warns about a break that moves further than this. Seconds. */
const MAX_MOVE = 5;

/** An empty field is not 0: the API reports that it is missing. */
const required = (value: number | undefined): number => value ?? Number.NaN;

/** One break in numbers: its position, the cut point it snaps to, its duration and the number of ads. */
export function CueRow(props: CueRowProps) {
  const { cue, index, item, path, errors, duration, cutPoints, hasFrame, onChange, onRemove } = props;
  const position = duration === undefined ? undefined : toSeconds(cue.spliceTime, item.spliceType, duration);
  const cutPoint = position === undefined || Number.isNaN(position) ? undefined : nearestCutPoint(cutPoints, position);
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
        {hasFrame && cutPoint !== undefined ? <CueFrame url={item.url.trim()} at={cutPoint} /> : null}
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
