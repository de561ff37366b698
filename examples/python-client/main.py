# SPDX-License-Identifier: Apache-2.0
# Creates a playlist and a channel, changes them, lists them and reads the audit log. The package midroll_client is generated from the
# OpenAPI document of a running Midroll: docs/clients.md.
import os
from uuid import uuid4

from midroll_client import AuthenticatedClient
from midroll_client.api.audit import list_audit
from midroll_client.api.channels import create_channel, delete_channel, list_channels, patch_channel
from midroll_client.api.playlists import create_playlist, delete_playlist, get_playlist, patch_playlist
from midroll_client.models import (
    ChannelBody,
    ChannelBodyAdSource,
    ChannelPatch,
    ChannelPatchAdSourceType0,
    Error,
    ListChannelsSort,
    PlaylistBody,
    PlaylistBodyContentsItem,
    PlaylistBodyContentsItemCuePointsItem,
    PlaylistPatch,
)

client = AuthenticatedClient(
    base_url=os.environ.get("ADMIN_URL", "http://127.0.0.1:8080"),
    token=os.environ["API_KEY"],
    auth_header_name="x-api-key",
    prefix="",
)


def checked(response):
    """Returns the record, or ends the program with the error that the server has returned."""
    if isinstance(response, Error) or response is None:
        raise SystemExit(response.message if response else "Unexpected response")
    return response


cue_point = PlaylistBodyContentsItemCuePointsItem(splice_time=60, max_duration=30)
item = PlaylistBodyContentsItem(url="https://media.example.com/film/master.m3u8", cue_points=[cue_point])
body = PlaylistBody(name="By Python", contents=[item])

# If the response is lost, the same key makes it safe to send the request again.
key = str(uuid4())
playlist = checked(create_playlist.sync(client=client, body=body, idempotency_key=key))
again = checked(create_playlist.sync(client=client, body=body, idempotency_key=key))
print(f"Created playlist {playlist.name} once: {again.id == playlist.id}")

# None removes a field, and omitted fields are unchanged.
renamed = checked(patch_playlist.sync(playlist.id, client=client, body=PlaylistPatch(name=None)))
print(f"Removed its name; {len(renamed.contents)} item is left")

source = ChannelBodyAdSource(url="https://ads.example.com/vast", timeout_ms=1500)
channel = checked(
    create_channel.sync(
        client=client, body=ChannelBody(name="Python channel", playlist_id=playlist.id, ad_source=source)
    )
)
patch = ChannelPatch(ad_source=ChannelPatchAdSourceType0(timeout_ms=1000))
changed = checked(patch_channel.sync(channel.id, client=client, body=patch))
print(f"Timeout {changed.ad_source.timeout_ms} ms for {changed.ad_source.url}")

found = checked(list_channels.sync(client=client, q="PYTHON", sort=ListChannelsSort.NAME))
print(f"Found {', '.join(one.name for one in found)}")

for entry in reversed(checked(list_audit.sync(client=client, id=channel.id))):
    print(f"{entry.operation} by {entry.actor.email}: {', '.join(one.path for one in entry.changes) or entry.outcome}")

delete_channel.sync_detailed(channel.id, client=client)
delete_playlist.sync_detailed(playlist.id, client=client)
missing = get_playlist.sync(playlist.id, client=client)
print(f"Deleted: {missing.type_}" if isinstance(missing, Error) else "Not deleted")
