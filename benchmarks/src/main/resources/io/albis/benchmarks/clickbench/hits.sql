WITH
    -- 64 bits that depend on the seed, a number such as that of the row, and what they are for
    FUNCTION draw(number bigint, purpose bigint)
        RETURNS bigint
        RETURN from_big_endian_64(xxhash64(to_big_endian_64(${seed} * 1000000000000 + number * 64 + purpose))),
    -- A number from 0 to size - 1, from 16 of the bits
    FUNCTION pick(bits bigint, place integer, size bigint)
        RETURNS bigint
        RETURN bitwise_and(bitwise_right_shift(bits, 16 * place), 65535) * size / 65536,
    -- A rank from 0 to size - 1. The probability of a rank is in inverse proportion to flat + rank, so flat ranks are
    -- about equally frequent, and Zipf's law holds for those after them
    FUNCTION skewed(bits bigint, size double, flat double)
        RETURNS bigint
        RETURN CAST(floor(flat * (power(1 + size / flat, bitwise_right_shift(bits, 11) / 9007199254740992e0) - 1)) AS bigint),
    FUNCTION word(number bigint)
        RETURNS varchar
        RETURN rtrim(substr('${words}', 1 + 8 * mod(number, 64), 8)),
    -- A text of three words, and a number if they are not enough to make it unique
    FUNCTION phrase(number bigint)
        RETURNS varchar
        RETURN word(number) || ' ' || word(number / 64) || ' ' || word(number / 4096)
            || IF(number < 262144, '', ' ' || CAST(number / 262144 AS varchar)),
    FUNCTION page_url(host varchar, page bigint)
        RETURNS varchar
        RETURN 'http://' || host || '/'
            || IF(page < 0, '', word(page) || '/' || word(page / 64) || '/' || word(page / 4096)
                || '-' || word(page / 5) || '-' || word(page / 11) || '-' || CAST(page AS varchar) || '.html'),
    FUNCTION text_hash(text varchar)
        RETURNS bigint
        RETURN from_big_endian_64(xxhash64(to_utf8(text)))
SELECT
    bitwise_right_shift(r0, 1) AS WatchID,
    CAST(IF(pick(u0, 0, 10) < 7, 1, 0) AS smallint) AS JavaEnable,
    title AS Title,
    CAST(1 AS smallint) AS GoodEvent,
    event_time AS EventTime,
    event_date AS EventDate,
    CAST(counter AS integer) AS CounterID,
    CAST(mod(u1, 2000000000) AS integer) AS ClientIP,
    CAST(skewed(u2, 9000, 5) AS integer) AS RegionID,
    IF(visitor = ${sought-visitor}, 435090932899640449, bitwise_right_shift(draw(visitor, 35), 1)) AS UserID,
    CAST(pick(c0, 0, 3) - 1 AS smallint) AS CounterClass,
    CAST(pick(u0, 1, 45) AS smallint) AS OS,
    CAST(pick(u0, 2, 80) AS smallint) AS UserAgent,
    url AS URL,
    referer AS Referer,
    CAST(IF(pick(r5, 2, 10) = 0, 1, 0) AS smallint) AS IsRefresh,
    CAST(IF(referer_kind < 14, 0, pick(r15, 0, 20000)) AS smallint) AS RefererCategoryID,
    CAST(IF(referer_kind < 14, 0, pick(r15, 1, 2000)) AS integer) AS RefererRegionID,
    CAST(pick(p0, 0, 20000) AS smallint) AS URLCategoryID,
    CAST(pick(c0, 1, 2000) AS integer) AS URLRegionID,
    CAST(element_at(ARRAY[0, 1024, 1280, 1280, 1366, 1366, 1366, 1440, 1600, 1680, 1920, 1920], 1 + screen) AS smallint) AS ResolutionWidth,
    CAST(element_at(ARRAY[0, 768, 800, 1024, 768, 768, 768, 900, 900, 1050, 1080, 1080], 1 + screen) AS smallint) AS ResolutionHeight,
    CAST(IF(pick(u1, 0, 10) = 0, 32, 24) AS smallint) AS ResolutionDepth,
    CAST(flash AS smallint) AS FlashMajor,
    CAST(IF(flash = 0, 0, pick(u1, 1, 4)) AS smallint) AS FlashMinor,
    IF(flash = 0, '', CAST(500 + 100 * pick(u1, 2, 4) AS varchar)) AS FlashMinor2,
    CAST(pick(u1, 3, 5) AS smallint) AS NetMajor,
    CAST(pick(u2, 0, 3) AS smallint) AS NetMinor,
    CAST(1 + pick(u2, 1, 40) AS smallint) AS UserAgentMajor,
    CAST(substr('0D0kH,15B0', 1 + pick(u2, 2, 9), 2) AS varchar) AS UserAgentMinor,
    CAST(IF(pick(u2, 3, 1000) = 0, 0, 1) AS smallint) AS CookieEnable,
    CAST(IF(pick(r11, 3, 1000) = 0, 0, 1) AS smallint) AS JavascriptEnable,
    CAST(IF(phone = 0, 0, 1) AS smallint) AS IsMobile,
    CAST(phone AS smallint) AS MobilePhone,
    IF(phone = 0, '', element_at(ARRAY['', '', '', 'iPad', 'iPhone', 'A500', 'N8-00'], 1 + mod(phone, 7))
        || IF(mod(phone, 7) < 3, '', IF(phone < 40, '', CAST(phone AS varchar)))) AS MobilePhoneModel,
    CAST('' AS varchar) AS Params,
    CAST(mod(bitwise_right_shift(u1, 8), 1000000) AS integer) AS IPNetworkID,
    CAST(CASE
        WHEN traffic < 2 THEN -1
        WHEN traffic < 3 THEN 6
        WHEN traffic < 9 THEN 0
        WHEN traffic < 14 THEN 2
        WHEN traffic < 18 THEN 3
        WHEN traffic < 19 THEN 1
        ELSE 5
    END AS smallint) AS TraficSourceID,
    CAST(IF(search_phrase = '', 0, element_at(ARRAY[2, 2, 2, 2, 3, 3, 4, 13], 1 + pick(r7, 1, 8))) AS smallint) AS SearchEngineID,
    search_phrase AS SearchPhrase,
    CAST(IF(advertisement < 6, element_at(ARRAY[2, 2, 2, 27, 13, 45], 1 + advertisement), 0) AS smallint) AS AdvEngineID,
    CAST(IF(pick(r8, 3, 20) = 0, 1, 0) AS smallint) AS IsArtifical,
    CAST(100 + pick(r7, 2, 1900) AS smallint) AS WindowClientWidth,
    CAST(100 + pick(r7, 3, 1200) AS smallint) AS WindowClientHeight,
    CAST(60 * time_zone AS smallint) AS ClientTimeZone,
    date_add('second', pick(r16, 1, 7200) - 3600, event_time) AS ClientEventTime,
    CAST(IF(silverlight, 5, 0) AS smallint) AS SilverlightVersion1,
    CAST(IF(silverlight, 1, 0) AS smallint) AS SilverlightVersion2,
    CAST(IF(silverlight, 20125 + 1000 * mod(visitor, 5), 0) AS integer) AS SilverlightVersion3,
    CAST(0 AS smallint) AS SilverlightVersion4,
    CAST(IF(pick(c0, 2, 4) = 0, 'utf-8', 'windows-1251') AS varchar) AS PageCharset,
    CAST(300 + 13 * pick(c0, 3, 8) AS integer) AS CodeVersion,
    CAST(IF(pick(r6, 0, 20) = 0, 1, 0) AS smallint) AS IsLink,
    CAST(IF(pick(r6, 1, 200) = 0, 1, 0) AS smallint) AS IsDownload,
    CAST(IF(pick(r6, 2, 5) < 3, 1, 0) AS smallint) AS IsNotBounce,
    IF(mod(visitor, 3) = 0, 0, bitwise_right_shift(draw(visitor, 36), 1)) AS FUniqID,
    IF(pick(r10, 1, 5) = 0, url, '') AS OriginalURL,
    CAST(mod(r13, 2000000000) AS integer) AS HID,
    CAST(0 AS smallint) AS IsOldCounter,
    CAST(IF(pick(r6, 3, 5) = 0, 1, 0) AS smallint) AS IsEvent,
    CAST(0 AS smallint) AS IsParameter,
    CAST(IF(pick(r5, 3, 10) = 0, 1, 0) AS smallint) AS DontCountHits,
    CAST(IF(pick(r10, 0, 5) = 0, 1, 0) AS smallint) AS WithHash,
    CAST(substr('5TSDF', 1 + pick(r16, 0, 5), 1) AS varchar) AS HitColor,
    date_add('hour', time_zone, event_time) AS LocalEventTime,
    CAST(IF(mod(visitor, 2) = 0, 0, element_at(ARRAY[16, 22, 31, 39, 50, 55], 1 + mod(visitor, 6))) AS smallint) AS Age,
    CAST(mod(visitor, 3) AS smallint) AS Sex,
    CAST(mod(visitor, 5) AS smallint) AS Income,
    CAST(IF(mod(visitor, 2) = 0, 0, mod(visitor, 32000)) AS smallint) AS Interests,
    CAST(IF(mod(visitor, 50) = 0, 12, 0) AS smallint) AS Robotness,
    CAST(mod(draw(visitor, 37), 2000000000) AS integer) AS RemoteIP,
    CAST(IF(pick(r16, 2, 3) = 0, mod(r12, 2000000000), -1) AS integer) AS WindowName,
    CAST(IF(pick(r16, 2, 9) = 0, mod(r0, 2000000000), -1) AS integer) AS OpenerName,
    CAST(skewed(r9, 2000, 3) AS smallint) AS HistoryLength,
    CAST(substr('S0NhruenukGg', 1 + 2 * mod(time_zone, 6), 2) AS varchar) AS BrowserLanguage,
    CAST(substr('S0NhRUENUKGG', 1 + 2 * mod(time_zone, 6), 2) AS varchar) AS BrowserCountry,
    CAST(IF(pick(r10, 2, 1000) = 0, 'vkontakte', '') AS varchar) AS SocialNetwork,
    CAST(IF(pick(r10, 2, 1000) = 0, 'like', '') AS varchar) AS SocialAction,
    CAST(IF(pick(r11, 3, 200) = 1, 404, 0) AS smallint) AS HTTPError,
    CAST(IF(timed, pick(r9, 3, 3000), 0) AS integer) AS SendTiming,
    CAST(IF(timed, pick(r9, 1, 400), 0) AS integer) AS DNSTiming,
    CAST(IF(timed, pick(r9, 2, 600), 0) AS integer) AS ConnectTiming,
    CAST(IF(timed, pick(r9, 3, 900), 0) AS integer) AS ResponseStartTiming,
    CAST(IF(timed, pick(r9, 3, 900) + pick(r9, 2, 500), 0) AS integer) AS ResponseEndTiming,
    CAST(IF(timed, pick(r9, 1, 5000), 0) AS integer) AS FetchTiming,
    CAST(IF(pick(r10, 2, 200) = 0, 1 + mod(visitor, 4), 0) AS smallint) AS SocialSourceNetworkID,
    IF(pick(r10, 2, 200) = 0, '/wall/' || CAST(visitor AS varchar), '') AS SocialSourcePage,
    CAST(0 AS bigint) AS ParamPrice,
    CAST('' AS varchar) AS ParamOrderID,
    CAST('NH' AS varchar) AS ParamCurrency,
    CAST(0 AS smallint) AS ParamCurrencyID,
    CAST(IF(openstat, 'direct', '') AS varchar) AS OpenstatServiceName,
    IF(openstat, CAST(mod(counter, 500) AS varchar), '') AS OpenstatCampaignID,
    IF(openstat, CAST(mod(visitor, 9000) AS varchar), '') AS OpenstatAdID,
    IF(openstat, word(visitor), '') AS OpenstatSourceID,
    IF(campaign, word(counter), '') AS UTMSource,
    CAST(IF(campaign, element_at(ARRAY['cpc', 'banner', 'email'], 1 + mod(visitor, 3)), '') AS varchar) AS UTMMedium,
    IF(campaign, word(counter / 64) || CAST(mod(counter, 90) AS varchar), '') AS UTMCampaign,
    IF(campaign, CAST(mod(visitor, 9000) AS varchar), '') AS UTMContent,
    IF(campaign, word(visitor) || ' ' || word(visitor / 64), '') AS UTMTerm,
    IF(pick(r11, 1, 100) = 0, word(visitor), '') AS FromTag,
    CAST(IF(pick(r11, 2, 300) = 0, 1, 0) AS smallint) AS HasGCLID,
    IF(counter = 62 AND referer_kind = 4, 3594120000172545465, text_hash(referer)) AS RefererHash,
    IF(counter = 62 AND page < 0 AND NOT at_google, 2868770270353813622, text_hash(url)) AS URLHash,
    CAST(IF(pick(r16, 3, 10) = 0, pick(r16, 3, 60000), 0) AS integer) AS CLID
FROM (
    SELECT
        *,
        date_add('second', mod(bitwise_right_shift(r12, 1), 86400), CAST(event_date AS timestamp(3))) AS event_time,
        IF(at_google, 'http://www.google.ru/search/' || word(greatest(page, 0)) || '/' || CAST(page AS varchar),
            page_url(host, page) || IF(pick(p0, 1, 3) = 0, '?from=' || word(pick(p0, 2, 64)), '')) AS url,
        IF(pick(p0, 3, 20) = 0 AND NOT names_google, '', IF(names_google, 'Google - ', '')
            || IF(page < 0, host, phrase(page) || ' | ' || phrase(page / 7) || ' | ' || phrase(page / 3) || ' | ' || host)) AS title,
        CASE
            WHEN referer_kind < 4 THEN ''
            WHEN referer_kind < 5 THEN page_url(host, -1)
            WHEN referer_kind < 8 THEN 'http://www.search.ru/?text=' || word(other_page) || '+' || word(other_page / 64)
            WHEN referer_kind < 14 THEN page_url(host, other_page)
            ELSE 'https://www.' || word(other_page) || CAST(mod(other_page, 1000) AS varchar) || '.ru/' || CAST(other_page AS varchar) || '.html'
        END AS referer,
        IF(searched, phrase(skewed(r14, ${phrases}, 20)), '') AS search_phrase
    FROM (
        SELECT
            *,
            draw(visitor, 32) AS u0,
            draw(visitor, 33) AS u1,
            draw(visitor, 34) AS u2,
            pick(draw(visitor, 32), 3, 12) AS screen,
            element_at(ARRAY[0, 10, 11, 11], 1 + mod(visitor, 4)) AS flash,
            IF(mod(visitor, 25) = 0, 1 + pick(draw(visitor, 38), 0, 80), 0) AS phone,
            pick(draw(visitor, 38), 1, 12) AS time_zone,
            mod(visitor, 5) = 0 AS silverlight,
            draw(counter, 48) AS c0,
            draw(page, 49) AS p0,
            word(counter) || CAST(counter AS varchar) || '.ru' AS host,
            skewed(r15, 1000000, 10) AS other_page,
            pick(r8, 0, 20) AS referer_kind,
            pick(r8, 1, 1000) = 0 AS at_google,
            pick(r8, 1, 1000) = 0 OR pick(r8, 2, 500) = 0 AS names_google,
            pick(r7, 0, 20) AS traffic,
            pick(r5, 0, 100) < 13 AS searched,
            pick(r5, 1, 1000) AS advertisement,
            pick(r9, 0, 2) = 0 AS timed,
            pick(r11, 0, 100) = 0 AS openstat,
            pick(r10, 3, 50) = 0 AS campaign
        FROM (
            SELECT
                *,
                date_add('day', row_number * 31 / ${rows}, DATE '2013-07-01') AS event_date,
                skewed(r1, ${visitors}, 1000) AS visitor,
                IF(pick(r3, 0, 50) = 0, 62, 100 + 37 * skewed(r2, 6500, 1)) AS counter,
                IF(pick(r3, 1, 10) = 0, -1, skewed(r4, 1000000, 10)) AS page
            FROM (
                SELECT
                    sequential_number AS row_number,
                    draw(sequential_number, 0) AS r0,
                    draw(sequential_number, 1) AS r1,
                    draw(sequential_number, 2) AS r2,
                    draw(sequential_number, 3) AS r3,
                    draw(sequential_number, 4) AS r4,
                    draw(sequential_number, 5) AS r5,
                    draw(sequential_number, 6) AS r6,
                    draw(sequential_number, 7) AS r7,
                    draw(sequential_number, 8) AS r8,
                    draw(sequential_number, 9) AS r9,
                    draw(sequential_number, 10) AS r10,
                    draw(sequential_number, 11) AS r11,
                    draw(sequential_number, 12) AS r12,
                    draw(sequential_number, 13) AS r13,
                    draw(sequential_number, 14) AS r14,
                    draw(sequential_number, 15) AS r15,
                    draw(sequential_number, 16) AS r16
                FROM TABLE(sequence(start => 0, stop => ${last-row}))
            )
        )
    )
)
