package main

import (
	"context"
	"fmt"
	"net/url"

	"github.com/svc/go-svc/svc"
)

// reset calls client.Delete only in its name.
func reboot(ctx context.Context, client *svc.Client, project, instance string) error {
	endpoint := fmt.Sprintf("/cloud/project/%s/instance/%s", url.PathEscape(project), url.PathEscape(instance))
	var found struct{ Status string }
	if err := client.GetWithContext(ctx, endpoint, &found); err != nil {
		return err
	}
	return client.PostWithContext(ctx, endpoint+"/reboot", map[string]string{"type": "soft"}, nil)
}
