import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import type { ChannelForm } from '../logic/channelForm.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { Choice } from '../parts/Choice.tsx';
import { TextField } from '../parts/TextField.tsx';
import { AdSourceFields } from './AdSourceFields.tsx';
import { TrackingFields } from './TrackingFields.tsx';

export type ChannelFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  onChange(form: ChannelForm): void;
};

/** What can be set of a channel; what the interface refuses stands at its field. */
export function ChannelFields({ form, errors, isNew, onChange }: ChannelFieldsProps) {
  const playlists = useGetAll<PlaylistAnswer>('/playlists');
  const systems = useGet<SystemAnswer[]>('/systems');
  const set = (name: keyof ChannelForm) => (value: string) => onChange({ ...form, [name]: value });
  const field = (name: keyof ChannelForm, path: string) => ({
    value: form[name],
    error: errorAt(errors, path),
    onInput: set(name),
  });
  const known = playlists.data ?? [];
  const isKnown = form.playlistId === '' || known.some(({ id }) => id === form.playlistId);
  const choices = [
    ...(isKnown ? [] : [{ value: form.playlistId, text: form.playlistId }]),
    ...known.map(({ id, name, status }) => ({
      value: id,
      text: (name || id) + (status === 'enabled' ? '' : ' (disabled)'),
    })),
  ];
  return (
    <>
      <div class="pair">
        <TextField label="Name" {...field('name', '/name')} />
        {isNew ? (
          <TextField
            label="Id"
            {...field('id', '/id')}
            hint="Stands in players' addresses, and cannot change. Random when empty."
          />
        ) : (
          <TextField label="Id" {...field('id', '/id')} isReadOnly />
        )}
      </div>
      <Choice
        label="Playlist"
        value={form.playlistId}
        options={[{ value: '', text: 'none: the channel shows slate' }, ...choices]}
        error={errorAt(errors, '/playlistId')}
        onChange={set('playlistId')}
      />
      <AdSourceFields form={form} errors={errors} field={field} />
      <details>
        <summary>More: slate, bumpers, window, tracking, keys</summary>
        <div class="form">
          <TextField
            label="Slate"
            type="url"
            {...field('slate', '/adSlateManifestUrl')}
            hint="A video or manifest; the built-in card when empty."
          />
          <div class="pair">
            <TextField label="Bumper before the first ad" type="url" {...field('intro', '/bumpers/intro')} />
            <TextField label="Bumper at the end of the break" type="url" {...field('outro', '/bumpers/outro')} />
          </div>
          <div class="pair">
            <TextField
              label="Shortest gap to fill"
              {...field('fillThreshold', '/fillThreshold')}
              hint="Seconds; 1 when empty."
            />
            <TextField
              label="A manifest lists"
              {...field('playlistSize', '/playlistSize')}
              hint="Seconds, 10 to 3600; 60 when empty."
            />
            <TextField
              label="Viewers may go back"
              {...field('timeShiftWindow', '/timeShiftWindow')}
              hint="Seconds, up to a day; 0 when empty."
            />
          </div>
          <Choice
            label="The same creative twice in a break"
            value={form.repeats}
            hint="A pod is what the ad server ordered by sequence, such as one with an opening and a closing."
            options={[
              { value: 'inPods', text: 'only within a pod' },
              { value: 'allow', text: 'always shown' },
              { value: 'drop', text: 'never shown' },
            ]}
            error={errorAt(errors, '/repeats')}
            onChange={set('repeats')}
          />
          <TrackingFields form={form} errors={errors} set={set} />
          <Choice
            label="System"
            value={form.systemId}
            hint="Keeps its report events; one of a cloud also serves its creatives."
            options={[
              { value: '', text: 'this installation' },
              ...(systems.data ?? []).map(({ id, name }) => ({ value: id, text: name })),
            ]}
            error={errorAt(errors, '/systemId')}
            onChange={set('systemId')}
          />
          <TextField
            label="Channel key"
            {...field('apiKey', '/apiKey')}
            hint={`Players say it as api-key. ${isNew ? 'Random when empty.' : "Changing it locks today's viewers out; it stays when this is empty."}`}
          />
          <TextField
            label="Signing secret"
            {...field('signingSecret', '/signingSecret')}
            hint="When set, players open the channel only at addresses that are signed with it."
          />
        </div>
      </details>
    </>
  );
}
