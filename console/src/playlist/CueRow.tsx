import type { FieldError } from '../api/apiError.ts';
import { nearestCutPoint, toSeconds } from '../logic/cuePlacing.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import type { DraftCue, DraftItem } from '../logic/playlistDraft.ts';
import { formatLength, sayLength } from '../logic/time.ts';
import { Button } from '../parts/Button.tsx';
import { NumberField } from '../parts/NumberField.tsx';

type CueRowProps = {
  readonly cue: DraftCue;
  readonly index: number;
  readonly item: DraftItem;
  readonly path: string;
  readonly errors: readonly FieldError[];
  readonly duration: number | undefined;
  readonly cutPoints: readonly number[];
  onChange(cue: DraftCue): void;
  onRemove(): void;
};

/** Seconds: the interface warns of what is moved further. */
const FAR = 5;

/** An empty field is not 0: the interface says that something is missing. */
const needed = (value: number | undefined): number => value ?? Number.NaN;

/** One break in numbers: where it is wanted, where it lands, how long it is, how many ads. */
export function CueRow({ cue, index, item, path, errors, duration, cutPoints, onChange, onRemove }: CueRowProps) {
  const wanted = duration === undefined ? undefined : toSeconds(cue.spliceTime, item.spliceType, duration);
  const landing = wanted === undefined || Number.isNaN(wanted) ? undefined : nearestCutPoint(cutPoints, wanted);
  const moved = landing === undefined || wanted === undefined ? 0 : Math.abs(landing - wanted);
  const error = (name: string) => errorAt(errors, `${path}/${name}`);
  return (
    <li class="cue-row">
      <span class="number">{index + 1}</span>
      <NumberField
        label={item.spliceType === 'percent' ? 'At per cent' : 'At second'}
        value={cue.spliceTime}
        error={error('spliceTime')}
        onInput={(value) => onChange({ ...cue, spliceTime: needed(value) })}
      />
      <div class="lands">
        <span class="small quiet">Lands at</span>
        <output>{landing === undefined ? '–' : formatLength(landing, true)}</output>
        {moved > FAR ? <span class="small">moved by {sayLength(moved)}</span> : null}
      </div>
      <NumberField
        label="Seconds long"
        value={cue.maxDuration}
        error={error('maxDuration')}
        onInput={(value) => onChange({ ...cue, maxDuration: needed(value) })}
      />
      <NumberField
        label="Ads at most"
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
