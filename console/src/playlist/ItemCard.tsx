import type { FieldError } from '../api/apiError.ts';
import { freeSpot, fromSeconds, type SpliceType, toSeconds } from '../logic/cuePlacing.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { nameOfUrl } from '../logic/nameOfUrl.ts';
import { type DraftCue, type DraftItem, newCue } from '../logic/playlistDraft.ts';
import { formatLength } from '../logic/time.ts';
import { Button } from '../parts/Button.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Segments } from '../parts/Segments.tsx';
import { TextField } from '../parts/TextField.tsx';
import { CueRow } from './CueRow.tsx';
import { CueStrip } from './CueStrip.tsx';
import type { ItemMoves } from './ItemList.tsx';
import { SourceField } from './SourceField.tsx';
import { useSourceCheck } from './useSourceCheck.ts';

type ItemCardProps = {
  readonly item: DraftItem;
  readonly index: number;
  readonly count: number;
  readonly errors: readonly FieldError[];
  readonly moves: ItemMoves;
  onChange(item: DraftItem): void;
};

/** One item: its source, how long it is, and its breaks. */
export function ItemCard({ item, index, count, errors, moves, onChange }: ItemCardProps) {
  const path = `/contents/${index}`;
  const check = useSourceCheck(item.sourceType === 'url' ? item.url.trim() : '');
  const duration = check.found?.duration ?? item.duration;
  const cutPoints = check.found?.cutPoints ?? [];
  const name =
    item.sourceType === 'placeholder'
      ? 'Placeholder'
      : item.url.trim() === ''
        ? 'New item'
        : nameOfUrl(item.url.trim());
  const set = (cuePoints: readonly DraftCue[]) => onChange({ ...item, cuePoints });
  const add = (seconds: number) =>
    set([
      ...item.cuePoints,
      newCue(duration === undefined ? seconds : fromSeconds(seconds, item.spliceType, duration)),
    ]);
  const addFree = () => {
    if (duration === undefined) return add(0);
    add(
      freeSpot(
        cutPoints,
        item.cuePoints.map((cue) => toSeconds(cue.spliceTime, item.spliceType, duration)),
        duration,
      ),
    );
  };
  const changeUnit = (spliceType: SpliceType) => {
    const convert = (cue: DraftCue): DraftCue =>
      duration === undefined
        ? cue
        : {
            ...cue,
            spliceTime: fromSeconds(toSeconds(cue.spliceTime, item.spliceType, duration), spliceType, duration),
          };
    onChange({ ...item, spliceType, cuePoints: item.cuePoints.map(convert) });
  };
  return (
    <li
      class="card item"
      onDragOver={moves.dragOver(index)}
      onDrop={moves.drop(index)}
      data-over={moves.over === index}
    >
      <header>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the buttons beside it are for all */}
        <span
          class="grip"
          draggable
          onDragStart={moves.dragStart(index)}
          onDragEnd={moves.dragEnd}
          title="Drag to move"
        >
          <Icon name="grip" />
        </span>
        <h3>
          {index + 1}. {name}
        </h3>
        <span class="small quiet number">{duration === undefined ? '' : formatLength(duration)}</span>
        <div class="actions">
          <Button
            icon="up"
            kind="quiet"
            label={`Move ${name} up`}
            isDisabled={index === 0}
            onClick={() => moves.move(index, index - 1)}
          />
          <Button
            icon="down"
            kind="quiet"
            label={`Move ${name} down`}
            isDisabled={index === count - 1}
            onClick={() => moves.move(index, index + 1)}
          />
          <Button icon="trash" kind="quiet" label={`Take ${name} out`} onClick={() => moves.remove(index)} />
        </div>
      </header>
      {item.sourceType === 'url' ? (
        <SourceField
          url={item.url}
          check={check}
          error={errorAt(errors, `${path}/url`)}
          onInput={(url) => onChange({ ...item, url })}
        />
      ) : (
        <p class="small quiet">
          Whoever reads this playlist says with ?content= what stands here. A channel cannot play it.
        </p>
      )}
      {duration === undefined ? null : (
        <CueStrip
          {...{ item, duration, cutPoints }}
          onAdd={add}
          onChange={(cue) => set(item.cuePoints.map((each) => (each.key === cue.key ? cue : each)))}
        />
      )}
      <ol class="cues" aria-label={`Breaks of ${name}`}>
        {item.cuePoints.map((cue, at) => (
          <CueRow
            key={cue.key}
            {...{ cue, item, errors, duration, cutPoints }}
            index={at}
            path={`${path}/cuePoints/${at}`}
            onChange={(next) => set(item.cuePoints.map((each) => (each.key === next.key ? next : each)))}
            onRemove={() => set(item.cuePoints.filter(({ key }) => key !== cue.key))}
          />
        ))}
      </ol>
      <div class="row between">
        <Button icon="plus" isSmall onClick={addFree}>
          Add a break
        </Button>
        <Segments
          label="Places are given in"
          value={item.spliceType}
          options={[
            ['seconds', 'Seconds'],
            ['percent', 'Per cent'],
          ]}
          onChange={changeUnit}
        />
      </div>
      <details>
        <summary>Stated length</summary>
        <TextField
          label="Seconds"
          value={item.duration === undefined ? '' : String(item.duration)}
          error={errorAt(errors, `${path}/duration`)}
          hint="What feeds say when the source has not been measured."
          onInput={(value) => {
            const { duration: _, ...rest } = item;
            onChange(value.trim() === '' ? rest : { ...rest, duration: Number(value) });
          }}
        />
      </details>
    </li>
  );
}
