<?php

use Svc\Api;

final class Databases
{
    private const WEB = '/hosting/web';

    public function __construct(private readonly Api $api)
    {
    }

    public function dump(string $site, string $database): void
    {
        foreach ($this->api->get(self::WEB . "/$site/database/$database/dump") as $id) {
            $this->api->delete(sprintf('%s/%s/database/%s/dump/%d', self::WEB, $site, $database, $id));
        }
        $this->api->post(self::WEB . "/{$site}/database/{$database}/dump", ['date' => 'now']);
    }
}
