import type { FieldError } from '../api/apiError.ts';
import type { ChannelForm } from '../logic/channelForm.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { Choice } from '../parts/Choice.tsx';

type TrackingFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  set(name: keyof ChannelForm): (value: string) => void;
};

/** Who sends beacons, and what players are told of their ads and may tell. */
export function TrackingFields({ form, errors, set }: TrackingFieldsProps) {
  const choice = (name: 'tracking' | 'announceAds' | 'confirmations') => ({
    value: form[name],
    error: errorAt(errors, `/${name}`),
    onChange: set(name),
  });
  return (
    <>
      <div class="pair">
        <Choice
          label="Beacons are sent by"
          {...choice('tracking')}
          options={[
            { value: 'server', text: 'Midroll' },
            { value: 'client', text: 'the player' },
          ]}
        />
        <Choice
          label="Players may say what they have shown"
          {...choice('confirmations')}
          hint="It stands beside what was delivered."
          options={[
            { value: 'false', text: 'no' },
            { value: 'true', text: 'yes' },
          ]}
        />
      </div>
      <Choice
        label="Manifests announce ads"
        {...choice('announceAds')}
        hint="Players find them without an SDK; so do ad-blockers."
        options={[
          { value: 'true', text: 'yes' },
          { value: 'false', text: 'no' },
        ]}
      />
    </>
  );
}
