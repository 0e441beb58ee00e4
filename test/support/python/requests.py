"""The part of requests that the quick starts use, over urllib."""
import json as _json
import urllib.error
import urllib.request


class Response:
    def __init__(self, status, headers, body):
        self.status_code, self.headers, self._body = status, headers, body

    def json(self):
        return _json.loads(self._body)


def post(url, json=None, headers=None, timeout=None):
    request = urllib.request.Request(
        url, _json.dumps(json).encode(), {"content-type": "application/json", **(headers or {})}, method="POST"
    )
    try:
        answer = urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        answer = error
    return Response(answer.status, answer.headers, answer.read())
