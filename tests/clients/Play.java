// Plays games to their end with Java's own HttpClient, which by default requests HTTP/2 (`Upgrade: h2c`).
//
//     java Play.java http://127.0.0.1:8080

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Play {
    static final int GAMES = 3;
    static final HttpClient CLIENT = HttpClient.newHttpClient();
    static final Random CHANCE = new Random(1);

    public static void main(String[] arguments) throws Exception {
        for (int game = 0; game < GAMES; game++) {
            play(arguments[0]);
        }
    }

    static void play(String address) throws Exception {
        String bot = "{\"player\": {\"bot\": \"random\"}}";
        String created = call(address, "/v1/games", "", "{\"edition\": \"antike\", \"board\": \"antike-east\","
            + " \"max_rounds\": 6, \"seats\": [{\"player\": \"open\"}, " + bot + ", " + bot + ", " + bot + "]}");
        String path = "/v1/games/" + text(created, "id");
        String token = text(call(address, path + "/seats/0", "", "{\"name\": \"Hanno\"}"), "token");
        int acted = 0;
        while (!text(call(address, path, "", null), "status").equals("finished")) {
            String legal = call(address, path + "/legal-actions", "", null);
            if (objects(legal, "pending").stream().anyMatch(question -> question.contains("\"seat\":0"))) {
                List<String> actions = objects(legal, "actions");
                call(address, path + "/actions", token, actions.get(CHANCE.nextInt(actions.size())));
                acted++;
            } else {
                Thread.sleep(20);
            }
        }
        System.out.println(path + " is over, " + acted + " actions by Java");
    }

    /** Returns the body of a successful answer: to a POST if there is a body to send, otherwise to a GET. */
    static String call(String address, String path, String token, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        HttpResponse<String> answer = CLIENT.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    /** Returns the first text of a name. */
    static String text(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("no " + name + " in " + json);
        }
        return found.group(1);
    }

    /** Returns the objects in the first list of a name. Their texts contain no brackets. */
    static List<String> objects(String json, String name) {
        List<String> objects = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        int list = json.indexOf("\"" + name + "\":[") + name.length() + 4;
        for (int place = list; place < json.length(); place++) {
            char sign = json.charAt(place);
            if (sign == '{' && depth++ == 0) {
                begin = place;
            } else if (sign == '}' && --depth == 0) {
                objects.add(json.substring(begin, place + 1));
            } else if (sign == ']' && depth == 0) {
                break;
            }
        }
        return objects;
    }
}
