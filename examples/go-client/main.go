// SPDX-License-Identifier: Apache-2.0

// Creates a playlist and a channel, lists and deletes them. The package midroll is generated from the OpenAPI document of a
// running Midroll: docs/clients.md.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"midroll-example/midroll"
)

// must ends the program with an error.
func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// checked returns the record of a response, or ends the program with the error that the server has returned.
func checked[Record any](record *Record, body []byte) Record {
	if record == nil {
		log.Fatalf("Unexpected response: %s", body)
	}
	return *record
}

// parse reads a body from JSON, which is shorter than the nested types.
func parse[Body any](text string) (body Body) {
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		log.Fatal(err)
	}
	return body
}

func main() {
	ctx := context.Background()
	withKey := midroll.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-api-key", os.Getenv("API_KEY"))
		return nil
	})
	url := cmp.Or(os.Getenv("ADMIN_URL"), "http://127.0.0.1:8080")
	client := must(midroll.NewClientWithResponses(url, withKey))

	made := must(client.CreatePlaylistWithResponse(ctx, nil, parse[midroll.PlaylistBody](`{
		"name": "By Go",
		"contents": [{
			"url": "https://media.example.com/film/master.m3u8",
			"cuePoints": [{"spliceTime": 60, "maxDuration": 30}]
		}]
	}`)))
	playlist := checked(made.JSON201, made.Body)
	fmt.Printf("Created playlist %s with %d item\n", *playlist.Name, len(*playlist.Contents))

	body := parse[midroll.ChannelBody](`{"name": "Go channel", "adSource": {"url": "https://ads.example.com/vast"}}`)
	body.PlaylistId = &playlist.Id
	opened := must(client.CreateChannelWithResponse(ctx, nil, body))
	channel := checked(opened.JSON201, opened.Body)

	query := "GO CHANNEL"
	found := must(client.ListChannelsWithResponse(ctx, &midroll.ListChannelsParams{Q: &query}))
	for _, one := range checked(found.JSON200, found.Body) {
		fmt.Printf("Found %s for %s\n", *one.Name, one.AdSource.Url)
	}

	must(client.DeleteChannelWithResponse(ctx, channel.Id, nil))
	must(client.DeletePlaylistWithResponse(ctx, playlist.Id, nil))
	missing := must(client.GetPlaylistWithResponse(ctx, playlist.Id, nil))
	fmt.Printf("Deleted: %s\n", checked(missing.JSON404, missing.Body).Type)
}
