-- The questions of ClickBench's queries, in its order, for Trino. Each begins with its name and the columns of its
-- result that must be the same in all catalogs: those that it sorts by if it returns only some of the rows.

-- q01: all
SELECT count(*) FROM hits

-- q02: all
SELECT count(*) FROM hits WHERE AdvEngineID <> 0

-- q03: all
SELECT sum(AdvEngineID), count(*), avg(ResolutionWidth) FROM hits

-- q04: all
SELECT avg(UserID) FROM hits

-- q05: all
SELECT count(DISTINCT UserID) FROM hits

-- q06: all
SELECT count(DISTINCT SearchPhrase) FROM hits

-- q07: all
SELECT min(EventDate), max(EventDate) FROM hits

-- q08: all
SELECT AdvEngineID, count(*)
FROM hits
WHERE AdvEngineID <> 0
GROUP BY AdvEngineID
ORDER BY count(*) DESC

-- q09: users
SELECT RegionID, count(DISTINCT UserID) AS users
FROM hits
GROUP BY RegionID
ORDER BY users DESC
LIMIT 10

-- q10: views
SELECT RegionID, sum(AdvEngineID), count(*) AS views, avg(ResolutionWidth), count(DISTINCT UserID)
FROM hits
GROUP BY RegionID
ORDER BY views DESC
LIMIT 10

-- q11: users
SELECT MobilePhoneModel, count(DISTINCT UserID) AS users
FROM hits
WHERE MobilePhoneModel <> ''
GROUP BY MobilePhoneModel
ORDER BY users DESC
LIMIT 10

-- q12: users
SELECT MobilePhone, MobilePhoneModel, count(DISTINCT UserID) AS users
FROM hits
WHERE MobilePhoneModel <> ''
GROUP BY MobilePhone, MobilePhoneModel
ORDER BY users DESC
LIMIT 10

-- q13: searches
SELECT SearchPhrase, count(*) AS searches
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY searches DESC
LIMIT 10

-- q14: users
SELECT SearchPhrase, count(DISTINCT UserID) AS users
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY users DESC
LIMIT 10

-- q15: searches
SELECT SearchEngineID, SearchPhrase, count(*) AS searches
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, SearchPhrase
ORDER BY searches DESC
LIMIT 10

-- q16: views
SELECT UserID, count(*) AS views
FROM hits
GROUP BY UserID
ORDER BY views DESC
LIMIT 10

-- q17: views
SELECT UserID, SearchPhrase, count(*) AS views
FROM hits
GROUP BY UserID, SearchPhrase
ORDER BY views DESC
LIMIT 10

-- q18: none
SELECT UserID, SearchPhrase, count(*) AS views
FROM hits
GROUP BY UserID, SearchPhrase
LIMIT 10

-- q19: views
SELECT UserID, extract(MINUTE FROM EventTime), SearchPhrase, count(*) AS views
FROM hits
GROUP BY UserID, extract(MINUTE FROM EventTime), SearchPhrase
ORDER BY views DESC
LIMIT 10

-- q20: all
SELECT UserID FROM hits WHERE UserID = 435090932899640449

-- q21: all
SELECT count(*) FROM hits WHERE URL LIKE '%google%'

-- q22: searches
SELECT SearchPhrase, min(URL), count(*) AS searches
FROM hits
WHERE URL LIKE '%google%' AND SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY searches DESC
LIMIT 10

-- q23: searches
SELECT SearchPhrase, min(URL), min(Title), count(*) AS searches, count(DISTINCT UserID)
FROM hits
WHERE Title LIKE '%Google%' AND URL NOT LIKE '%.google.%' AND SearchPhrase <> ''
GROUP BY SearchPhrase
ORDER BY searches DESC
LIMIT 10

-- q24: eventtime
SELECT *
FROM hits
WHERE URL LIKE '%google%'
ORDER BY EventTime
LIMIT 10

-- q25: none
SELECT SearchPhrase
FROM hits
WHERE SearchPhrase <> ''
ORDER BY EventTime
LIMIT 10

-- q26: all
SELECT SearchPhrase
FROM hits
WHERE SearchPhrase <> ''
ORDER BY SearchPhrase
LIMIT 10

-- q27: all
SELECT SearchPhrase
FROM hits
WHERE SearchPhrase <> ''
ORDER BY EventTime, SearchPhrase
LIMIT 10

-- q28: url_length
SELECT CounterID, avg(length(URL)) AS url_length, count(*) AS views
FROM hits
WHERE URL <> ''
GROUP BY CounterID
HAVING count(*) > 100000
ORDER BY url_length DESC
LIMIT 25

-- q29: referer_length
SELECT regexp_replace(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '$1') AS host, avg(length(Referer)) AS referer_length, count(*) AS views, min(Referer)
FROM hits
WHERE Referer <> ''
GROUP BY regexp_replace(Referer, '^https?://(?:www\.)?([^/]+)/.*$', '$1')
HAVING count(*) > 100000
ORDER BY referer_length DESC
LIMIT 25

-- q30: all
SELECT ${sums} FROM hits

-- q31: views
SELECT SearchEngineID, ClientIP, count(*) AS views, sum(IsRefresh), avg(ResolutionWidth)
FROM hits
WHERE SearchPhrase <> ''
GROUP BY SearchEngineID, ClientIP
ORDER BY views DESC
LIMIT 10

-- q32: views
SELECT WatchID, ClientIP, count(*) AS views, sum(IsRefresh), avg(ResolutionWidth)
FROM hits
WHERE SearchPhrase <> ''
GROUP BY WatchID, ClientIP
ORDER BY views DESC
LIMIT 10

-- q33: views
SELECT WatchID, ClientIP, count(*) AS views, sum(IsRefresh), avg(ResolutionWidth)
FROM hits
GROUP BY WatchID, ClientIP
ORDER BY views DESC
LIMIT 10

-- q34: views
SELECT URL, count(*) AS views
FROM hits
GROUP BY URL
ORDER BY views DESC
LIMIT 10

-- q35: views
SELECT 1, URL, count(*) AS views
FROM hits
GROUP BY 1, URL
ORDER BY views DESC
LIMIT 10

-- q36: views
SELECT ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3, count(*) AS views
FROM hits
GROUP BY ClientIP, ClientIP - 1, ClientIP - 2, ClientIP - 3
ORDER BY views DESC
LIMIT 10

-- q37: views
SELECT URL, count(*) AS views
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
    AND DontCountHits = 0
    AND IsRefresh = 0
    AND URL <> ''
GROUP BY URL
ORDER BY views DESC
LIMIT 10

-- q38: views
SELECT Title, count(*) AS views
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
    AND DontCountHits = 0
    AND IsRefresh = 0
    AND Title <> ''
GROUP BY Title
ORDER BY views DESC
LIMIT 10

-- q39: views
SELECT URL, count(*) AS views
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
    AND IsRefresh = 0
    AND IsLink <> 0
    AND IsDownload = 0
GROUP BY URL
ORDER BY views DESC
OFFSET 1000
LIMIT 10

-- q40: views
SELECT TraficSourceID, SearchEngineID, AdvEngineID, source, target, count(*) AS views
FROM (
    SELECT TraficSourceID, SearchEngineID, AdvEngineID, IF(SearchEngineID = 0 AND AdvEngineID = 0, Referer, '') AS source, URL AS target
    FROM hits
    WHERE CounterID = 62
        AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
        AND IsRefresh = 0
)
GROUP BY TraficSourceID, SearchEngineID, AdvEngineID, source, target
ORDER BY views DESC
OFFSET 1000
LIMIT 10

-- q41: views
SELECT URLHash, EventDate, count(*) AS views
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
    AND IsRefresh = 0
    AND TraficSourceID IN (-1, 6)
    AND RefererHash = 3594120000172545465
GROUP BY URLHash, EventDate
ORDER BY views DESC
OFFSET 100
LIMIT 10

-- q42: views
SELECT WindowClientWidth, WindowClientHeight, count(*) AS views
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-01' AND DATE '2013-07-31'
    AND IsRefresh = 0
    AND DontCountHits = 0
    AND URLHash = 2868770270353813622
GROUP BY WindowClientWidth, WindowClientHeight
ORDER BY views DESC
OFFSET 10000
LIMIT 10

-- q43: all
SELECT date_trunc('minute', EventTime), count(*)
FROM hits
WHERE CounterID = 62
    AND EventDate BETWEEN DATE '2013-07-14' AND DATE '2013-07-15'
    AND IsRefresh = 0
    AND DontCountHits = 0
GROUP BY date_trunc('minute', EventTime)
ORDER BY 1
OFFSET 1000
LIMIT 10
