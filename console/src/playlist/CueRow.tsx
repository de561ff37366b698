import type { FieldError } from '../api/apiError.ts';
import { nearestCutPoint, toSeconds } from '../logic/cuePlacing.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import type { DraftCue, DraftItem } from '../logic/playlistDraft.ts';
import { formatLength } from '../logic/time.ts';
import { Button } from '../parts/Button.tsx';
import { TextField } from '../parts/TextField.tsx';

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

/** An empty field is not 0: the interface says that something is missing. */
const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
const text = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '' : String(value));

/** One break in numbers: where it is wanted, where it lands, how long it is, how many ads. */
export function CueRow({ cue, index, item, path, errors, duration, cutPoints, onChange, onRemove }: CueRowProps) {
  const wanted = duration === undefined ? undefined : toSeconds(cue.spliceTime, item.spliceType, duration);
  const landing = wanted === undefined || Number.isNaN(wanted) ? undefined : nearestCutPoint(cutPoints, wanted);
  const error = (name: string) => errorAt(errors, `${path}/${name}`);
  return (
    <li class="cue-row">
      <span class="number">{index + 1}</span>
      <TextField
        label={item.spliceType === 'percent' ? 'At per cent' : 'At second'}
        value={text(cue.spliceTime)}
        error={error('spliceTime')}
        onInput={(value) => onChange({ ...cue, spliceTime: number(value) })}
      />
      <div class="lands">
        <span class="small quiet">Lands at</span>
        <output>{landing === undefined ? '–' : formatLength(landing, true)}</output>
      </div>
      <TextField
        label="Seconds long"
        value={text(cue.maxDuration)}
        error={error('maxDuration')}
        onInput={(value) => onChange({ ...cue, maxDuration: number(value) })}
      />
      <TextField
        label="Ads at most"
        value={text(cue.maxAds)}
        error={error('maxAds')}
        onInput={(value) => {
          const { maxAds: _, ...rest } = cue;
          onChange(value.trim() === '' ? rest : { ...rest, maxAds: number(value) });
        }}
      />
      <Button icon="trash" kind="quiet" label={`Remove break ${index + 1}`} onClick={onRemove} />
    </li>
  );
}
